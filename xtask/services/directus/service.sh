# Directus, a content management system: https://www.npmjs.com/package/directus. The document has a collection of
# articles.
export HOST=127.0.0.1 KEY=key SECRET=secret DB_CLIENT=sqlite3 DB_FILENAME=data.db TELEMETRY=false
export ADMIN_EMAIL=admin@example.com ADMIN_PASSWORD=password ADMIN_TOKEN=admin-token
directus="$INSTALLED/node_modules/.bin/directus"
ask() {
    path=$1
    shift
    curl --fail --silent --header "Authorization: Bearer $ADMIN_TOKEN" --header 'Content-Type: application/json' \
        "$@" "$BASE/$path"
}
case $1 in
install) npm install --silent --prefix . directus@11.3.5 ;;
start)
    "$directus" bootstrap || exit
    exec "$directus" start
    ;;
document)
    ask collections --output /dev/null --data '{
        "collection": "articles", "schema": {}, "meta": {}, "fields": [
            { "field": "id", "type": "integer", "schema": { "is_primary_key": true, "has_auto_increment": true } },
            { "field": "title", "type": "string", "schema": { "is_nullable": false } },
            { "field": "published", "type": "boolean", "schema": {}, "meta": { "special": ["cast-boolean"] } },
            { "field": "rating", "type": "float", "schema": {} },
            { "field": "tags", "type": "json", "schema": {}, "meta": { "special": ["cast-json"] } },
            { "field": "day", "type": "date", "schema": {} },
            { "field": "changed", "type": "timestamp", "schema": {}, "meta": { "special": ["date-updated"] } }
        ] }'
    ask server/specs/oas
    ;;
esac
