//! A day with Prefect: flows and their runs, deployments, variables, work pools, limits, artifacts and logs.

use client::api::{
    artifacts::*, block_types::*, concurrency_limits_v2::*, deployments::*, flow_run_states::*,
};
use client::api::{flow_runs::*, flows::*, logs::*, root::*, variables::*, work_pools::*};
use client::client::Client;
use client::formats::Uuid;
use serde_json::json;
use service_calls::{Calls, body, done, error, ok};

/// Parameters without their one header, the version.
macro_rules! unversioned {
    ($params:ident) => {
        $params {
            x_prefect_api_version: None,
        }
    };
}

const UNKNOWN: &str = "00000000-0000-4000-8000-000000000000";

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let calls = Calls::begin();
    let client = Client::new(&format!("{}/api", calls.base()), calls.transport());
    let id = |text: &str| -> Uuid { serde_json::from_value(json!(text)).expect("a UUID") };
    let received = || -> Uuid {
        id(&calls
            .received::<String>("/id")
            .unwrap_or_else(|| UNKNOWN.into()))
    };

    ok!(
        calls,
        "health",
        client.health_check_health_get(),
        HealthCheckHealthGetResponse::Ok,
        |it| *it
    );
    ok!(
        calls,
        "version",
        client.server_version_version_get(),
        ServerVersionVersionGetResponse::Ok,
        |it| it.contains('.')
    );
    ok!(
        calls,
        "hello",
        client.hello_hello_get(unversioned!(HelloHelloGetParams)),
        HelloHelloGetResponse::Ok,
        |it| !it.is_empty()
    );
    ok!(
        calls,
        "readiness",
        client.perform_readiness_check_ready_get(unversioned!(PerformReadinessCheckReadyGetParams)),
        PerformReadinessCheckReadyGetResponse::Ok,
        |it| it["message"] == "OK"
    );

    let params = || unversioned!(CreateFlowFlowsPostParams);
    let etl = json!({ "name": "etl", "tags": ["daily"], "labels": { "team": "data", "tier": 1, "paid": true } });
    ok!(
        calls,
        "create a flow",
        client.create_flow_flows_post(params(), body(etl)?),
        CreateFlowFlowsPostResponse::Ok,
        |it| it.name == "etl"
    );
    ok!(
        calls,
        "create a flow of the same name",
        client.create_flow_flows_post(params(), body(json!({ "name": "etl" }))?),
        CreateFlowFlowsPostResponse::Ok,
        |it| it.name == "etl"
    );
    let flow = received();
    error!(
        calls,
        "create a flow with an invalid name",
        client.create_flow_flows_post(params(), body(json!({ "name": "a/b" }))?),
        422
    );
    let params = || unversioned!(ReadFlowFlowsIdGetParams);
    ok!(
        calls,
        "read a flow",
        client.read_flow_flows_id_get(flow.clone(), params()),
        ReadFlowFlowsIdGetResponse::Ok,
        |it| it.name == "etl"
    );
    error!(
        calls,
        "read an unknown flow",
        client.read_flow_flows_id_get(id(UNKNOWN), params()),
        404
    );
    let params = || unversioned!(ReadFlowByNameFlowsNameNameGetParams);
    ok!(
        calls,
        "read a flow by its name",
        client.read_flow_by_name_flows_name_name_get("etl".into(), params()),
        ReadFlowByNameFlowsNameNameGetResponse::Ok,
        |it| it.name == "etl"
    );
    error!(
        calls,
        "read a flow by an unknown name",
        client.read_flow_by_name_flows_name_name_get("none".into(), params()),
        404
    );
    let params = unversioned!(UpdateFlowFlowsIdPatchParams);
    done!(
        calls,
        "update a flow",
        client.update_flow_flows_id_patch(
            flow.clone(),
            params,
            body(json!({ "tags": ["hourly"] }))?
        ),
        UpdateFlowFlowsIdPatchResponse::NoContent
    );
    let params = || unversioned!(ReadFlowsFlowsFilterPostParams);
    ok!(
        calls,
        "list flows",
        client.read_flows_flows_filter_post(params(), None),
        ReadFlowsFlowsFilterPostResponse::Ok,
        |it| it.len() == 1
    );
    let hourly =
        json!({ "flows": { "tags": { "all_": ["hourly"] } }, "sort": "NAME_ASC", "limit": 5 });
    ok!(
        calls,
        "filter flows",
        client.read_flows_flows_filter_post(params(), Some(body(hourly)?)),
        ReadFlowsFlowsFilterPostResponse::Ok,
        |it| it.len() == 1
    );
    error!(
        calls,
        "list too many flows",
        client.read_flows_flows_filter_post(params(), Some(body(json!({ "limit": 100_000 }))?)),
        422
    );
    ok!(
        calls,
        "count flows",
        client.count_flows_flows_count_post(unversioned!(CountFlowsFlowsCountPostParams), None),
        CountFlowsFlowsCountPostResponse::Ok,
        |it| *it == 1
    );
    ok!(
        calls,
        "a page of flows",
        client.paginate_flows_flows_paginate_post(
            unversioned!(PaginateFlowsFlowsPaginatePostParams),
            None
        ),
        PaginateFlowsFlowsPaginatePostResponse::Ok,
        |it| it.count == 1
    );

    let run = json!({ "flow_id": flow.0.to_string(), "name": "first", "parameters": { "day": 1 }, "state": { "type": "PENDING" } });
    let params = || unversioned!(CreateFlowRunFlowRunsPostParams);
    ok!(
        calls,
        "create a flow run",
        client.create_flow_run_flow_runs_post(params(), body(run)?),
        CreateFlowRunFlowRunsPostResponse::Ok,
        |it| it.name.as_deref() == Some("first")
    );
    let run = received();
    error!(
        calls,
        "create a run of an unknown flow",
        client.create_flow_run_flow_runs_post(params(), body(json!({ "flow_id": UNKNOWN }))?),
        409
    );
    let params = || unversioned!(ReadFlowRunFlowRunsIdGetParams);
    ok!(
        calls,
        "read a flow run",
        client.read_flow_run_flow_runs_id_get(run.clone(), params()),
        ReadFlowRunFlowRunsIdGetResponse::Ok,
        |it| it.flow_id == flow
    );
    let params = || unversioned!(SetFlowRunStateFlowRunsIdSetStatePostParams);
    let running = json!({ "state": { "type": "RUNNING", "message": "Started" } });
    ok!(
        calls,
        "set the state of a flow run",
        client.set_flow_run_state_flow_runs_id_set_state_post(
            run.clone(),
            params(),
            body(running)?
        ),
        SetFlowRunStateFlowRunsIdSetStatePostResponse::Ok,
        |it| it.state.is_some()
    );
    let completed = json!({ "state": { "type": "COMPLETED" }, "force": true });
    ok!(
        calls,
        "complete a flow run",
        client.set_flow_run_state_flow_runs_id_set_state_post(
            run.clone(),
            params(),
            body(completed)?
        ),
        SetFlowRunStateFlowRunsIdSetStatePostResponse::Ok,
        |it| it.state.is_some()
    );
    let params = || unversioned!(ReadFlowRunsFlowRunsFilterPostParams);
    let done = json!({ "flow_runs": { "state": { "type": { "any_": ["COMPLETED"] } } }, "sort": "START_TIME_DESC" });
    ok!(
        calls,
        "filter flow runs",
        client.read_flow_runs_flow_runs_filter_post(params(), Some(body(done)?)),
        ReadFlowRunsFlowRunsFilterPostResponse::Ok,
        |it| it.len() == 1
    );
    let states = ReadFlowRunStatesFlowRunStatesGetParams {
        flow_run_id: run.clone(),
        x_prefect_api_version: None,
    };
    ok!(
        calls,
        "states of a flow run",
        client.read_flow_run_states_flow_run_states_get(states),
        ReadFlowRunStatesFlowRunStatesGetResponse::Ok,
        |it| it.len() == 3
    );
    let params = || unversioned!(CreateFlowRunInputFlowRunsIdInputPostParams);
    done!(
        calls,
        "give input to a flow run",
        client.create_flow_run_input_flow_runs_id_input_post(
            run.clone(),
            params(),
            body(json!({ "key": "k", "value": "v" }))?
        ),
        CreateFlowRunInputFlowRunsIdInputPostResponse::Created
    );
    let params = unversioned!(ReadFlowRunInputFlowRunsIdInputKeyGetParams);
    ok!(
        calls,
        "read the input",
        client.read_flow_run_input_flow_runs_id_input_key_get(run.clone(), "k".into(), params),
        ReadFlowRunInputFlowRunsIdInputKeyGetResponse::Ok,
        |it| it == "v"
    );
    let log = json!([{ "name": "etl", "level": 20, "message": "Started", "timestamp": "2026-01-01T00:00:00Z", "flow_run_id": run.0.to_string() }]);
    done!(
        calls,
        "write logs",
        client.create_logs_logs_post(unversioned!(CreateLogsLogsPostParams), body(log)?),
        CreateLogsLogsPostResponse::Created
    );
    ok!(
        calls,
        "read logs",
        client.read_logs_logs_filter_post(unversioned!(ReadLogsLogsFilterPostParams), None),
        ReadLogsLogsFilterPostResponse::Ok,
        |it| it.len() == 1
    );
    let history = json!({ "history_start": "2026-01-01T00:00:00Z", "history_end": "2026-01-02T00:00:00Z", "history_interval_seconds": 43200 });
    let params = unversioned!(FlowRunHistoryFlowRunsHistoryPostParams);
    ok!(
        calls,
        "history of flow runs",
        client.flow_run_history_flow_runs_history_post(params, body(history)?),
        FlowRunHistoryFlowRunsHistoryPostResponse::Ok,
        |it| it.len() == 2
    );

    let pool = json!({ "name": "local", "type": "process", "concurrency_limit": 3 });
    let params = || unversioned!(CreateWorkPoolWorkPoolsPostParams);
    ok!(
        calls,
        "create a work pool",
        client.create_work_pool_work_pools_post(params(), body(pool.clone())?),
        CreateWorkPoolWorkPoolsPostResponse::Created,
        |it| it.name == "local"
    );
    error!(
        calls,
        "create a work pool twice",
        client.create_work_pool_work_pools_post(params(), body(pool)?),
        409
    );
    let params = unversioned!(ReadWorkPoolWorkPoolsNameGetParams);
    ok!(
        calls,
        "read a work pool",
        client.read_work_pool_work_pools_name_get("local".into(), params),
        ReadWorkPoolWorkPoolsNameGetResponse::Ok,
        |it| it.name == "local"
    );
    let params = unversioned!(ReadWorkQueuesWorkPoolsWorkPoolNameQueuesFilterPostParams);
    ok!(
        calls,
        "list work queues",
        client.read_work_queues_work_pools_work_pool_name_queues_filter_post(
            "local".into(),
            params,
            None
        ),
        ReadWorkQueuesWorkPoolsWorkPoolNameQueuesFilterPostResponse::Ok,
        |it| it.len() == 1
    );

    let nightly = json!({
        "name": "nightly", "flow_id": flow.0.to_string(), "work_pool_name": "local", "tags": ["night"],
        "schedules": [{ "schedule": { "cron": "0 0 * * *", "timezone": "Europe/Berlin" }, "active": true }],
        "parameter_openapi_schema": { "type": "object", "properties": { "day": { "type": "integer" } } },
    });
    ok!(
        calls,
        "create a deployment",
        client.create_deployment_deployments_post(
            unversioned!(CreateDeploymentDeploymentsPostParams),
            body(nightly)?
        ),
        CreateDeploymentDeploymentsPostResponse::Ok,
        |it| it.name == "nightly"
    );
    let deployment = received();
    let params = unversioned!(ReadDeploymentByNameDeploymentsNameFlowNameDeploymentNameGetParams);
    ok!(
        calls,
        "read a deployment by its name",
        client.read_deployment_by_name_deployments_name_flow_name_deployment_name_get(
            "etl".into(),
            "nightly".into(),
            params
        ),
        ReadDeploymentByNameDeploymentsNameFlowNameDeploymentNameGetResponse::Ok,
        |it| it.id == deployment
    );
    let params = unversioned!(CreateFlowRunFromDeploymentDeploymentsIdCreateFlowRunPostParams);
    ok!(
        calls,
        "run a deployment",
        client.create_flow_run_from_deployment_deployments_id_create_flow_run_post(
            deployment.clone(),
            params,
            body(json!({ "parameters": { "day": 2 } }))?
        ),
        CreateFlowRunFromDeploymentDeploymentsIdCreateFlowRunPostResponse::Ok,
        |it| it.flow_id == flow
    );
    let params = unversioned!(PauseDeploymentDeploymentsIdPauseDeploymentPostParams);
    ok!(
        calls,
        "pause a deployment",
        client.pause_deployment_deployments_id_pause_deployment_post(deployment.clone(), params),
        PauseDeploymentDeploymentsIdPauseDeploymentPostResponse::Ok,
        |it| it.is_null()
    );
    let params = unversioned!(ReadDeploymentSchedulesDeploymentsIdSchedulesGetParams);
    ok!(
        calls,
        "schedules of a deployment",
        client.read_deployment_schedules_deployments_id_schedules_get(deployment.clone(), params),
        ReadDeploymentSchedulesDeploymentsIdSchedulesGetResponse::Ok,
        |it| it.len() == 1
    );
    let params = || unversioned!(DeleteDeploymentDeploymentsIdDeleteParams);
    done!(
        calls,
        "delete a deployment",
        client.delete_deployment_deployments_id_delete(deployment.clone(), params()),
        DeleteDeploymentDeploymentsIdDeleteResponse::NoContent
    );
    error!(
        calls,
        "delete a deployment twice",
        client.delete_deployment_deployments_id_delete(deployment, params()),
        404
    );

    let params = || unversioned!(CreateVariableVariablesPostParams);
    let color = json!({ "name": "color", "value": "red", "tags": ["ui"] });
    ok!(
        calls,
        "create a variable",
        client.create_variable_variables_post(params(), body(color.clone())?),
        CreateVariableVariablesPostResponse::Created,
        |it| it.name == "color"
    );
    ok!(
        calls,
        "create a number",
        client
            .create_variable_variables_post(params(), body(json!({ "name": "size", "value": 7 }))?),
        CreateVariableVariablesPostResponse::Created,
        |it| it.name == "size"
    );
    error!(
        calls,
        "create a variable twice",
        client.create_variable_variables_post(params(), body(color)?),
        409
    );
    error!(
        calls,
        "create a variable with an invalid name",
        client
            .create_variable_variables_post(params(), body(json!({ "name": "A B", "value": 1 }))?),
        422
    );
    let params = unversioned!(UpdateVariableByNameVariablesNameNamePatchParams);
    done!(
        calls,
        "update a variable",
        client.update_variable_by_name_variables_name_name_patch(
            "color".into(),
            params,
            body(json!({ "value": { "r": 255 } }))?
        ),
        UpdateVariableByNameVariablesNameNamePatchResponse::NoContent
    );
    let params = || unversioned!(ReadVariableByNameVariablesNameNameGetParams);
    ok!(
        calls,
        "read a variable",
        client.read_variable_by_name_variables_name_name_get("color".into(), params()),
        ReadVariableByNameVariablesNameNameGetResponse::Ok,
        |it| it.name == "color"
    );
    error!(
        calls,
        "read an unknown variable",
        client.read_variable_by_name_variables_name_name_get("none".into(), params()),
        404
    );
    ok!(
        calls,
        "list variables",
        client.read_variables_variables_filter_post(
            unversioned!(ReadVariablesVariablesFilterPostParams),
            None
        ),
        ReadVariablesVariablesFilterPostResponse::Ok,
        |it| it.len() == 2
    );

    let params = unversioned!(CreateConcurrencyLimitV2V2ConcurrencyLimitsPostParams);
    ok!(
        calls,
        "create a limit",
        client.create_concurrency_limit_v2_v2_concurrency_limits_post(
            params,
            body(json!({ "name": "db", "limit": 2 }))?
        ),
        CreateConcurrencyLimitV2V2ConcurrencyLimitsPostResponse::Created,
        |it| it.name == "db"
    );
    let params = unversioned!(ReadConcurrencyLimitV2V2ConcurrencyLimitsIdOrNameGetParams);
    ok!(
        calls,
        "read a limit by its name",
        client.read_concurrency_limit_v2_v2_concurrency_limits_id_or_name_get(
            body(json!("db"))?,
            params
        ),
        ReadConcurrencyLimitV2V2ConcurrencyLimitsIdOrNameGetResponse::Ok,
        |it| it.limit == 2
    );
    let table = json!({ "key": "rows", "type": "markdown", "data": "# 7 rows", "flow_run_id": run.0.to_string() });
    ok!(
        calls,
        "create an artifact",
        client.create_artifact_artifacts_post(
            unversioned!(CreateArtifactArtifactsPostParams),
            body(table)?
        ),
        CreateArtifactArtifactsPostResponse::Ok,
        |_| true
    );
    let params = unversioned!(ReadLatestArtifactArtifactsKeyLatestGetParams);
    ok!(
        calls,
        "read the latest artifact",
        client.read_latest_artifact_artifacts_key_latest_get("rows".into(), params),
        ReadLatestArtifactArtifactsKeyLatestGetResponse::Ok,
        |_| true
    );
    let params = unversioned!(ReadBlockTypesBlockTypesFilterPostParams);
    ok!(
        calls,
        "list block types",
        client.read_block_types_block_types_filter_post(params, None),
        ReadBlockTypesBlockTypesFilterPostResponse::Ok,
        |it| !it.is_empty()
    );
    let params = || unversioned!(DeleteFlowFlowsIdDeleteParams);
    done!(
        calls,
        "delete a flow",
        client.delete_flow_flows_id_delete(flow.clone(), params()),
        DeleteFlowFlowsIdDeleteResponse::NoContent
    );
    error!(
        calls,
        "delete a flow twice",
        client.delete_flow_flows_id_delete(flow, params()),
        404
    );
}
