# Directus, a content management system: https://www.npmjs.com/package/directus
export HOST=127.0.0.1 KEY=key SECRET=secret DB_CLIENT=sqlite3 DB_FILENAME=data.db TELEMETRY=false
export ADMIN_EMAIL=admin@example.com ADMIN_PASSWORD=password ADMIN_TOKEN=admin-token
case $1 in
install) npm install --silent --prefix . directus@11.3.5 ;;
start)
    directus="$INSTALLED/node_modules/.bin/directus"
    "$directus" bootstrap || exit
    exec "$directus" start
    ;;
document) curl --fail --silent --header "Authorization: Bearer $ADMIN_TOKEN" "$BASE/server/specs/oas" ;;
esac
