import pg from 'pg';

/** Makes the role `turnout` and its database. The role is bound by row-level security and may create roles, nothing else. */
export async function provision(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 10_000, query_timeout: 60_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ role: boolean; database: boolean }>(
      `select exists (select from pg_roles where rolname = 'turnout') as role,
              exists (select from pg_database where datname = 'turnout') as database`,
    );
    const attributes = 'turnout login createrole nocreatedb nosuperuser noreplication nobypassrls';
    await client.query(`${rows[0]?.role ? 'alter' : 'create'} role ${attributes}`);
    if (!rows[0]?.database) await client.query('create database turnout owner turnout');
  } finally {
    await client.end();
  }
}
