# Prefect, workflow orchestration: https://pypi.org/project/prefect
export PREFECT_HOME="$PWD" PREFECT_SERVER_ANALYTICS_ENABLED=false DO_NOT_TRACK=1
case $1 in
install) python3 -m venv . && bin/pip install --quiet prefect==3.9.1 ;;
start) exec "$INSTALLED/bin/prefect" server start --host 127.0.0.1 --port "$PORT" --no-ui --no-services ;;
document) curl --fail --silent "$BASE/openapi.json" ;;
esac
