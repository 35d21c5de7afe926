//! A day with LiteLLM, without a database: models, completions of a model that repeats one sentence, embeddings,
//! prices and health.

use client::api::responses::*;
use client::api::{budget_spend_tracking::*, chat_completions::*, team_management::*};
use client::api::{
    completions::*, cost_tracking::*, default::*, embeddings::*, guardrails::*, health::*,
};
use client::api::{
    internal_user_management::*, key_management::*, llm_utils::*, model_management::*, prompts::*,
};
use client::client::{Client, ClientError};
use client::runtime::File;
use serde_json::{Value, json};
use service_calls::{Calls, body, error, ok};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let calls = Calls::begin();
    let anonymous = Client::new(calls.base(), calls.transport());
    let client = anonymous
        .clone()
        .with_api_key_header("Bearer sk-master")
        .expect("a header");

    ok!(
        calls,
        "liveness",
        anonymous.health_liveliness_health_liveliness_get(),
        HealthLivelinessHealthLivelinessGetResponse::Ok,
        |it| it == "I'm alive!"
    );
    ok!(
        calls,
        "readiness",
        anonymous.health_readiness_health_readiness_get(),
        HealthReadinessHealthReadinessGetResponse::Ok,
        |it| it["status"] == "healthy"
    );
    ok!(
        calls,
        "backlog",
        client.health_backlog_health_backlog_get(),
        HealthBacklogHealthBacklogGetResponse::Ok,
        |it| it["queued_requests"] == 0
    );
    let every = HealthEndpointHealthGetParams {
        model: None,
        model_id: None,
    };
    ok!(
        calls,
        "health of the models",
        client.health_endpoint_health_get(every),
        HealthEndpointHealthGetResponse::Ok,
        |it| it["healthy_count"] == 1
    );
    ok!(
        calls,
        "license",
        client.health_license_endpoint_health_license_get(),
        HealthLicenseEndpointHealthLicenseGetResponse::Ok,
        |it| it["has_license"] == false
    );
    let slack = HealthServicesEndpointHealthServicesGetParams {
        service: body(json!("slack")).expect("a listed service"),
    };
    error!(
        calls,
        "health of a service that is not set up",
        client.health_services_endpoint_health_services_get(slack),
        422
    );
    ok!(
        calls,
        "settings",
        client.active_callbacks_settings_get(),
        ActiveCallbacksSettingsGetResponse::Ok,
        |it| it.is_object()
    );
    ok!(
        calls,
        "routes",
        client.get_routes_routes_get(),
        GetRoutesRoutesGetResponse::Ok,
        |it| it["routes"].is_array()
    );

    let all = || ModelListV1ModelsGetParams {
        return_wildcard_routes: None,
        team_id: None,
        include_model_access_groups: None,
        only_model_access_groups: None,
        include_metadata: None,
        fallback_type: None,
        scope: None,
        healthy_only: None,
        client_version: None,
    };
    let first = |it: &Value| it["data"][0]["id"] == "parrot";
    ok!(
        calls,
        "list models",
        client.model_list_v1_models_get(all()),
        ModelListV1ModelsGetResponse::Ok,
        first
    );
    let healthy = ModelListV1ModelsGetParams {
        healthy_only: Some(true),
        include_metadata: Some(false),
        ..all()
    };
    ok!(
        calls,
        "list healthy models",
        client.model_list_v1_models_get(healthy),
        ModelListV1ModelsGetResponse::Ok,
        first
    );
    let one = || ModelInfoV1ModelsModelIdGetParams {
        team_id: None,
        healthy_only: None,
    };
    ok!(
        calls,
        "read a model",
        client.model_info_v1_models_model_id_get("parrot".into(), one()),
        ModelInfoV1ModelsModelIdGetResponse::Ok,
        |it| it["id"] == "parrot"
    );
    error!(
        calls,
        "read an unknown model",
        client.model_info_v1_models_model_id_get("none".into(), one()),
        404
    );
    let details = ModelInfoV1ModelInfoGetParams {
        litellm_model_id: None,
        include_team_models: None,
        team_id: None,
        healthy_only: None,
    };
    ok!(
        calls,
        "details of models",
        client.model_info_v1_model_info_get(details),
        ModelInfoV1ModelInfoGetResponse::Ok,
        |it| it["data"][0]["model_name"] == "parrot"
    );
    let groups = ModelGroupInfoModelGroupInfoGetParams { model_group: None };
    ok!(
        calls,
        "model groups",
        client.model_group_info_model_group_info_get(groups),
        ModelGroupInfoModelGroupInfoGetResponse::Ok,
        |it| it["data"][0]["model_group"] == "parrot"
    );
    let soon = ModelDeprecationsModelDeprecationsGetParams {
        warn_within_days: 30.into(),
    };
    ok!(
        calls,
        "deprecated models",
        client.model_deprecations_model_deprecations_get(soon),
        ModelDeprecationsModelDeprecationsGetResponse::Ok,
        |it| it.warn_within_days == 30
    );
    let known = |model: &str| SupportedOpenaiParamsUtilsSupportedOpenaiParamsGetParams {
        model: model.into(),
    };
    ok!(
        calls,
        "parameters of a model",
        client.supported_openai_params_utils_supported_openai_params_get(known("gpt-4o")),
        SupportedOpenaiParamsUtilsSupportedOpenaiParamsGetResponse::Ok,
        |it| it["supported_openai_params"].is_array()
    );
    error!(
        calls,
        "parameters of an unknown model",
        client.supported_openai_params_utils_supported_openai_params_get(known("none")),
        400
    );
    let known = ModelInfoLookupUtilsModelInfoGetParams {
        model: "gpt-4o".into(),
        custom_llm_provider: None,
    };
    ok!(
        calls,
        "limits of a model",
        client.model_info_lookup_utils_model_info_get(known),
        ModelInfoLookupUtilsModelInfoGetResponse::Ok,
        |it| it.is_object()
    );

    let asked = |model: &str| json!({ "model": model, "messages": [{ "role": "user", "content": "Hi" }], "temperature": 0.5 });
    let hello = |it: &Value| it["choices"][0]["message"]["content"] == "Hello.";
    ok!(
        calls,
        "complete a chat",
        client.chat_completion_v1_chat_completions_post(body(asked("parrot"))?),
        ChatCompletionV1ChatCompletionsPostResponse::Ok,
        hello
    );
    let long = json!({
        "model": "parrot", "max_tokens": 9, "stop": ["."], "user": "ada", "metadata": { "tags": ["a"] },
        "messages": [
            { "role": "system", "content": "Repeat." },
            { "role": "user", "content": [{ "type": "text", "text": "Hello." }] },
            { "role": "assistant", "content": null, "tool_calls": [
                { "id": "1", "type": "function", "function": { "name": "f", "arguments": "{}" } },
            ] },
            { "role": "tool", "tool_call_id": "1", "content": "7" },
        ],
        "tools": [{ "type": "function", "function": { "name": "f", "parameters": { "type": "object", "properties": {} } } }],
    });
    ok!(
        calls,
        "complete a chat with a tool",
        client.chat_completion_v1_chat_completions_post(body(long)?),
        ChatCompletionV1ChatCompletionsPostResponse::Ok,
        hello
    );
    error!(
        calls,
        "complete by an unknown model",
        client.chat_completion_v1_chat_completions_post(body(asked("none"))?),
        400
    );
    error!(
        calls,
        "complete without a key",
        anonymous.chat_completion_v1_chat_completions_post(body(asked("parrot"))?),
        500
    );
    let streamed = json!({ "model": "parrot", "stream": true, "messages": [{ "role": "user", "content": "Hi" }] });
    // The document has JSON alone; events are in the error, as they arrive.
    let streamed = body(streamed).expect("a body");
    let events = match client.chat_completion_v1_chat_completions_post(streamed).await {
        Err(ClientError::OtherMediaType { body, .. }) => Ok(body.bytes().await.ok()),
        Err(error) => Err(error.into()),
        Ok(_) => Ok(None),
    };
    calls.success("stream a chat", events, |events| events.starts_with(b"data: {"));
    ok!(
        calls, "respond", client.responses_api_v1_responses_post(body(json!({ "model": "parrot", "input": "Hi" }))?),
        ResponsesApiV1ResponsesPostResponse::Ok => ResponsesApiV1ResponsesPostOkContent::Json, |_| true
    );
    ok!(
        calls,
        "embed",
        client.embeddings_v1_embeddings_post(body(json!({ "model": "parrot", "input": ["a"] }))?),
        EmbeddingsV1EmbeddingsPostResponse::Ok,
        |it| it["object"] == "list"
    );
    // Their bodies are not in the document.
    let model = CompletionV1CompletionsPostParams {
        model: Some(Some("parrot".into())),
    };
    error!(
        calls,
        "complete a text without a body",
        client.completion_v1_completions_post(model),
        400
    );
    error!(
        calls,
        "rank without a body",
        client.rerank_v1_rerank_post(),
        500
    );
    error!(
        calls,
        "ask as Anthropic without a body",
        client.anthropic_response_v1_messages_post(),
        400
    );

    let counted = TokenCounterUtilsTokenCounterPostParams {
        call_endpoint: false,
    };
    ok!(
        calls,
        "count tokens",
        client.token_counter_utils_token_counter_post(
            counted,
            body(json!({ "model": "parrot", "prompt": "Hello" }))?
        ),
        TokenCounterUtilsTokenCounterPostResponse::Ok,
        |it| it.total_tokens == 1
    );
    let raw = json!({
        "call_type": "completion",
        "request_body": { "model": "gpt-4o", "messages": [{ "role": "user", "content": "Hi" }] },
    });
    ok!(
        calls,
        "transform a request",
        client.transform_request_utils_transform_request_post(body(raw)?),
        TransformRequestUtilsTransformRequestPostResponse::Ok,
        |_| true
    );
    let planned = json!({ "model": "gpt-4o", "input_tokens": 10, "output_tokens": 10, "num_requests_per_day": 100 });
    ok!(
        calls,
        "estimate a price",
        client.estimate_cost_cost_estimate_post(body(planned)?),
        EstimateCostCostEstimatePostResponse::Ok,
        |it| it.model == "gpt-4o"
    );
    let spent = json!({ "model": "gpt-4o", "messages": [{ "role": "user", "content": "Hi" }] });
    ok!(
        calls,
        "calculate a price",
        client.calculate_spend_spend_calculate_post(body(spent)?),
        CalculateSpendSpendCalculatePostResponse::Ok,
        |it| it.cost.is_some_and(|cost| cost > 0.0)
    );
    ok!(
        calls,
        "list guardrails",
        client.list_guardrails_guardrails_list_get(),
        ListGuardrailsGuardrailsListGetResponse::Ok,
        |it| it.guardrails.is_empty()
    );
    let prompt = ConvertPromptFileToJsonUtilsDotpromptJsonConverterPostForm {
        file: File {
            name: Some("a.prompt".into()),
            content_type: None,
            bytes: "---\nmodel: gpt-4o\n---\nHello {{name}}".into(),
        },
    };
    ok!(
        calls,
        "upload a prompt",
        client.convert_prompt_file_to_json_utils_dotprompt_json_converter_post(prompt.into()),
        ConvertPromptFileToJsonUtilsDotpromptJsonConverterPostResponse::Ok,
        |it| it.contains_key("json_data")
    );

    // Without a database.
    let params = GenerateKeyFnKeyGeneratePostParams {
        litellm_changed_by: None,
    };
    error!(
        calls,
        "create a key",
        client.generate_key_fn_key_generate_post(
            params,
            body(json!({ "models": ["parrot"], "duration": "1h" }))?
        ),
        500
    );
    error!(
        calls,
        "read a key",
        client.info_key_fn_key_info_get(InfoKeyFnKeyInfoGetParams { key: None }),
        500
    );
    let ada = UserInfoUserInfoGetParams {
        user_id: Some(Some("ada".into())),
    };
    error!(
        calls,
        "read a user",
        client.user_info_user_info_get(ada),
        500
    );
    let teams = ListTeamTeamListGetParams {
        user_id: None,
        organization_id: None,
    };
    error!(
        calls,
        "list teams",
        client.list_team_team_list_get(teams),
        400
    );
    error!(
        calls,
        "list budgets",
        client.list_budget_budget_list_get(),
        400
    );
    error!(
        calls, "create a model",
        client.add_new_model_model_new_post(body(json!({
            "model_name": "a", "litellm_params": { "model": "openai/a" }, "model_info": { "id": "a" },
        }))?), 500
    );
}
