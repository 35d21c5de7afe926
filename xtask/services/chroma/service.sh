# Chroma, a vector database: https://pypi.org/project/chromadb
case $1 in
install) python3 -m venv . && bin/pip install --quiet chromadb==1.5.9 ;;
start) exec "$INSTALLED/bin/chroma" run --path . --host 127.0.0.1 --port "$PORT" ;;
document) curl --fail --silent "$BASE/openapi.json" ;;
esac
