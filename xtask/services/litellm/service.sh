# LiteLLM, a gateway to language models: https://pypi.org/project/litellm
case $1 in
install) python3 -m venv . && bin/pip install --quiet 'litellm[proxy]==1.108.7' ;;
start)
    cat >config.yaml <<'CONFIG'
model_list:
  - model_name: parrot
    litellm_params: { model: openai/parrot, api_key: none, mock_response: Hello. }
general_settings: { master_key: sk-master }
CONFIG
    export LITELLM_LOCAL_MODEL_COST_MAP=True
    exec "$INSTALLED/bin/litellm" --config config.yaml --host 127.0.0.1 --port "$PORT" --telemetry False
    ;;
document) curl --fail --silent "$BASE/openapi.json" ;;
esac
