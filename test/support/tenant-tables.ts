import type pg from 'pg';

/** A table with rows of organizations. It is found in the database's catalog, so a new table is tested without being listed anywhere. */
export interface TenantTable {
  name: string;
  /** `org_id`, or `id` of `organizations` itself. */
  org: string;
  /** The columns that can be written. */
  columns: string[];
}

export async function tenantTables(admin: pg.Client): Promise<TenantTable[]> {
  const { rows } = await admin.query<TenantTable>(`
    select c.relname as name, case c.relname when 'organizations' then 'id' else 'org_id' end as org,
      array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and a.attgenerated = '' and a.attidentity = '' order by a.attnum) as columns
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and (c.relname = 'organizations' or exists (
        select from pg_attribute a where a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped))
    order by c.relname`);
  return rows;
}

interface Column {
  name: string;
  type: string;
  /** The first word that a check constraint of this column alone allows. */
  word: string | null;
}

/** How a value of each type is written. A text or a hash is different each time, because of unique indexes. */
const VALUES: Record<string, string> = {
  uuid: 'gen_random_uuid()',
  text: `md5(random()::text)`,
  bytea: `decode(md5(random()::text), 'hex')`,
  boolean: 'false',
  smallint: '1',
  integer: '1',
  bigint: '1',
  numeric: '1',
  date: 'current_date',
  'timestamp with time zone': 'now()',
  jsonb: `'{}'`,
  json: `'{}'`,
  'text[]': `'{}'`,
  'uuid[]': `'{}'`,
  'timestamp with time zone[]': `'{}'`,
  inet: `'192.0.2.1'`,
};

/** Puts a row of the organization into the table unless there is one. Foreign keys are switched off, so it needs no other rows. */
export async function plant(admin: pg.Client, table: TenantTable, org: string): Promise<void> {
  const there = await admin.query(`select from ${table.name} where ${table.org} = $1 limit 1`, [org]);
  if ((there.rowCount ?? 0) > 0) return;
  const { rows: needed } = await admin.query<Column>(
    `select a.attname as name, format_type(a.atttypid, null) as type,
       (select substring(pg_get_constraintdef(k.oid) from '''([^'']*)''') from pg_constraint k
        where k.conrelid = a.attrelid and k.contype = 'c' and k.conkey = array[a.attnum] limit 1) as word
     from pg_attribute a
     where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and a.attnotnull and not a.atthasdef
       and a.attidentity = '' and a.attname <> $2`,
    [table.name, table.org],
  );
  const values = needed.map(({ name, type, word }) => {
    if (word !== null) return `'${word}'`;
    const value = VALUES[type];
    if (value === undefined)
      throw new Error(`${table.name}.${name} has the type ${type}, for which VALUES has no value. Add one.`);
    return value;
  });
  await admin.query('begin');
  try {
    await admin.query(`set local session_replication_role = replica`);
    await admin.query(
      `insert into ${table.name} (${[table.org, ...needed.map((column) => column.name)].join(', ')})
       values (${['$1', ...values].join(', ')})`,
      [org],
    );
    await admin.query('commit');
  } catch (error) {
    await admin.query('rollback');
    throw new Error(`No row could be put into ${table.name}: ${(error as Error).message}`);
  }
}

/** All rows of an organization in the table as one text. If it differs afterwards, somebody has changed them. */
export async function standing(admin: pg.Client, table: TenantTable, org: string): Promise<string> {
  const { rows } = await admin.query(
    `select count(*)::int as count, coalesce(string_agg(t::text, E'\\n' order by t::text), '') as text
     from ${table.name} t where ${table.org} = $1`,
    [org],
  );
  return `${rows[0].count}\n${rows[0].text}`;
}
