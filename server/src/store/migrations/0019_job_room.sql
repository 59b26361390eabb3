-- How much room an organization's jobs take up is asked whenever one is started.

create index jobs_stored on jobs (org_id) where source is not null or files <> '{}';
