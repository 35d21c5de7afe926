-- A project's quota counts the configs that it has deleted of late.
CREATE INDEX deleted_config_of_project ON config (project, deleted_at) WHERE deleted_at IS NOT NULL;
