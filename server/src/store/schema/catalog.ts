import type pg from 'pg';

export interface Table {
  name: string;
  unlogged: boolean;
  columns: { name: string; definition: string }[];
  constraints: string[];
  /** What follows the closing parenthesis: partitioning and storage parameters. */
  options: string;
  indexes: string[];
  triggers: string[];
  /** Row-level security, policies and grants, as statements. */
  access: string[];
}

/** What a database has in the schemas `public` and `directory`, in a fixed order. */
export interface SchemaObjects {
  tables: Table[];
  functions: { name: string; text: string }[];
}

export interface Catalog extends SchemaObjects {
  /** How long partitions are kept. */
  kept: { name: string; keep: string }[];
}

const SCHEMAS = `('public', 'directory')`;
const TABLES = `(select c.* from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ${SCHEMAS})`;

/**
 * PostgreSQL prints keywords in capitals, our migrations do not. Nothing outside of quotes depends on the case, because no
 * name of ours needs quotes.
 */
const lower = (sql: string): string =>
  sql.replaceAll(/'(?:[^']|'')*'|"[^"]*"|[^'"]+/g, (part) => (/^['"]/.test(part) ? part : part.toLowerCase()));

/** An expression as one would write it: `in ('a', 'b')` for `= ANY (ARRAY['a'::text, 'b'::text])`. */
const plain = (expression: string): string =>
  lower(expression)
    .replaceAll(/('(?:[^']|'')*')::(?:text|jsonb|timestamp with time zone)\b(?!\[)/g, '$1')
    .replaceAll(/ = any \(array\[([^\]]*)\]\)/g, ' in ($1)')
    .replaceAll(/\s*\n\s*/g, ' ') // PostgreSQL breaks and indents a `case`
    .trim();

export async function readCatalog(client: pg.Client): Promise<Catalog> {
  const rows: Rows = async (text) => (await client.query(text)).rows;
  // Names are printed without their schema if it is in the path, so the result does not depend on the caller's settings.
  await client.query('set search_path = public');
  await requireKnownKinds(rows);
  const found = await rows<{ name: string; unlogged: boolean; options: string }>(`
    select c.oid::regclass::text as name, c.relpersistence = 'u' as unlogged,
      coalesce(' partition by ' || pg_get_partkeydef(c.oid), '')
        || coalesce(' with (' || (select string_agg(replace(o, '=', ' = '), ', ' order by o) from unnest(c.reloptions) o) || ')', '') as options
    from ${TABLES} c order by 1`);
  const columns = await columnsOf(rows);
  const constraints = await constraintsOf(rows);
  const indexes = await indexesOf(rows);
  const triggers = await triggersOf(rows);
  const access = await accessOf(rows);
  return {
    tables: found.map(({ name, unlogged, options }) => ({
      name,
      unlogged,
      options: lower(options),
      columns: columns.get(name) ?? [],
      constraints: constraints.get(name) ?? [],
      indexes: indexes.get(name) ?? [],
      triggers: triggers.get(name) ?? [],
      access: access.get(name) ?? [],
    })),
    functions: await functionsOf(rows),
    kept: await rows('select name::text, keep::text from partitioned order by 1'),
  };
}

type Rows = <Row>(text: string) => Promise<Row[]>;

/** What belongs to each table, by the table's name and in the order of the rows. */
function byTable<Row extends { table: string }, Value>(rows: readonly Row[], make: (row: Row) => Value) {
  const all = new Map<string, Value[]>();
  for (const row of rows) all.set(row.table, [...(all.get(row.table) ?? []), make(row)]);
  return all;
}

/** What the dump does not print must not be there: else it would be missing without a word. */
async function requireKnownKinds(rows: Rows): Promise<void> {
  const unknown = await rows<{ what: string }>(`
    select 'the relation ' || c.oid::regclass as what from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ${SCHEMAS} and c.relkind not in ('r', 'p', 'i', 'I', 'S')
    union all
    select 'the sequence ' || c.oid::regclass from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ${SCHEMAS} and c.relkind = 'S'
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'i' and d.refobjsubid > 0)
    union all
    select 'the type ' || t.oid::regtype from pg_type t join pg_namespace n on n.oid = t.typnamespace
      where n.nspname in ${SCHEMAS} and t.typtype in ('e', 'd', 'r', 'm')
    union all
    select 'the statistics ' || s.stxname from pg_statistic_ext s join pg_namespace n on n.oid = s.stxnamespace where n.nspname in ${SCHEMAS}
    union all
    select 'the extension ' || extname from pg_extension where extname <> 'plpgsql'
    union all
    select 'the schema ' || nspname from pg_namespace
      where nspname not in ('public', 'directory', 'information_schema', 'graphile_worker') and nspname !~ '^pg_'
    order by 1`);
  if (unknown.length === 0) return;
  const names = unknown.map(({ what }) => what).join(', ');
  throw new Error(`The dump of the schema cannot print ${names}. Teach it in server/src/store/schema/catalog.ts.`);
}

async function columnsOf(rows: Rows): Promise<Map<string, Table['columns']>> {
  const columns = await rows<{
    table: string;
    name: string;
    type: string;
    collation: string | null;
    required: boolean;
    identity: '' | 'a' | 'd';
    generated: '' | 's' | 'v';
    value: string | null;
  }>(
    `select r.oid::regclass::text as table, quote_ident(a.attname) as name, format_type(a.atttypid, a.atttypmod) as type,
       a.attnotnull as required, case when a.attcollation <> t.typcollation then quote_ident(c.collname) end as collation,
       a.attidentity as identity, a.attgenerated as generated, pg_get_expr(d.adbin, d.adrelid, true) as value
     from ${TABLES} r join pg_attribute a on a.attrelid = r.oid join pg_type t on t.oid = a.atttypid
       left join pg_collation c on c.oid = a.attcollation
       left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where a.attnum > 0 and not a.attisdropped order by a.attnum`,
  );
  return byTable(columns, ({ name, type, collation, required, identity, generated, value }) => {
    const words = [type.replace('timestamp with time zone', 'timestamptz')];
    if (collation !== null) words.push(`collate ${collation}`);
    if (required) words.push('not null');
    if (identity !== '') words.push(`generated ${identity === 'a' ? 'always' : 'by default'} as identity`);
    if (generated !== '')
      words.push(`generated always as (${plain(value!)})${generated === 's' ? ' stored' : ' virtual'}`);
    else if (value !== null) words.push(`default ${plain(value)}`);
    return { name, definition: words.join(' ') };
  });
}

/** Primary key first, then what is unique, checked and referred to. A name that PostgreSQL chose itself is left out. */
async function constraintsOf(rows: Rows): Promise<Map<string, string[]>> {
  const constraints = await rows<{ table: string; name: string; definition: string; columns: string[] }>(
    `select r.oid::regclass::text as table, k.conname as name, pg_get_constraintdef(k.oid, true) as definition,
       array(select a.attname::text from unnest(k.conkey) with ordinality as c(n, i)
         join pg_attribute a on a.attrelid = k.conrelid and a.attnum = c.n order by c.i) as columns
     from ${TABLES} r join pg_constraint k on k.conrelid = r.oid
     where k.contype in ('p', 'u', 'c', 'f', 'x') and k.conparentid = 0
     order by position(k.contype in 'pucxf'), k.conname`,
  );
  return byTable(constraints, ({ table, name, definition, columns }) => {
    const chosen = new RegExp(`^${table}_(${columns.join('_')}_)?(pkey|key|check|fkey)\\d*$`).test(name);
    return `${chosen ? '' : `constraint ${name} `}${plain(definition)}`;
  });
}

/** Without those that belong to a constraint. */
async function indexesOf(rows: Rows): Promise<Map<string, string[]>> {
  const indexes = await rows<{ table: string; text: string }>(
    `select r.oid::regclass::text as table, pg_get_indexdef(i.indexrelid, 0, true) as text
     from ${TABLES} r join pg_index i on i.indrelid = r.oid
     where not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
     order by i.indexrelid::regclass::text`,
  );
  return byTable(indexes, ({ text }) => plain(text).replace(' on only ', ' on ').replace(' using btree ', ' '));
}

async function triggersOf(rows: Rows): Promise<Map<string, string[]>> {
  const triggers = await rows<{ table: string; text: string }>(
    `select r.oid::regclass::text as table, pg_get_triggerdef(t.oid, true) as text
     from ${TABLES} r join pg_trigger t on t.tgrelid = r.oid where not t.tgisinternal order by t.tgname`,
  );
  return byTable(triggers, ({ text }) => lower(text));
}

/** For a table of an organization that has exactly what `make_tenant_table` gives: that call. Otherwise what is there. */
async function accessOf(rows: Rows): Promise<Map<string, string[]>> {
  const security = await rows<{ table: string; what: string }>(
    `select r.oid::regclass::text as table, s.what
     from ${TABLES} r, lateral (values (r.relrowsecurity, 'enable'), (r.relforcerowsecurity, 'force')) as s(is_on, what)
     where s.is_on order by s.what`,
  );
  const policies = await rows<{ table: string; text: string }>(
    `select r.oid::regclass::text as table, format('create policy %I on %s%s%s to %s%s%s', p.polname, r.oid::regclass,
         case when p.polpermissive then '' else ' as restrictive' end,
         case p.polcmd when '*' then '' when 'r' then ' for select' when 'a' then ' for insert' when 'w' then ' for update' else ' for delete' end,
         (select string_agg(case when o = 0 then 'public' else o::regrole::text end, ', ' order by o::regrole::text) from unnest(p.polroles) o),
         ' using (' || pg_get_expr(p.polqual, p.polrelid, true) || ')',
         ' with check (' || pg_get_expr(p.polwithcheck, p.polrelid, true) || ')') as text
     from ${TABLES} r join pg_policy p on p.polrelid = r.oid order by p.polname`,
  );
  const grants = await rows<{ table: string; role: string; rights: string }>(
    `select r.oid::regclass::text as table, case when g.grantee = 0 then 'public' else g.grantee::regrole::text end as role,
       string_agg(lower(g.privilege_type), ', ' order by
         array_position(array['SELECT', 'INSERT', 'UPDATE', 'DELETE'], g.privilege_type), g.privilege_type) as rights
     from ${TABLES} r, aclexplode(r.relacl) g where g.grantee <> r.relowner group by 1, 2 order by 2`,
  );
  const statements = [
    ...security.map(({ table, what }) => ({ table, text: `alter table ${table} ${what} row level security` })),
    ...policies.map(({ table, text }) => ({ table, text: lower(text) })),
    ...grants.map(({ table, role, rights }) => ({ table, text: `grant ${rights} on ${table} to ${role}` })),
  ];
  const access = byTable(statements, ({ text }) => text);
  for (const [table, given] of access)
    for (const column of ['org_id', 'id'])
      if (given.join('\n') === ofTenant(table, column).join('\n'))
        access.set(table, [`select make_tenant_table('${table}'${column === 'org_id' ? '' : `, '${column}'`})`]);
  return access;
}

const ofTenant = (table: string, column: string): string[] => [
  `alter table ${table} enable row level security`,
  `alter table ${table} force row level security`,
  `create policy every_organization on ${table} to turnout_system using (true) with check (true)`,
  `create policy own_organization on ${table} to turnout_app using (${column} = current_org()) with check (${column} = current_org())`,
  `grant select, insert, update, delete on ${table} to turnout_app`,
  `grant select, insert, update, delete on ${table} to turnout_system`,
];

/** The long list of a `returns table`, broken at its commas. */
const wrapped = (line: string): string => (line.length <= 120 ? line : line.replaceAll(/(.{80,110}?),\s/g, '$1,\n   '));

async function functionsOf(rows: Rows): Promise<SchemaObjects['functions']> {
  const functions = await rows<{ name: string; head: string; body: string; owner: string | null }>(
    `select case when n.nspname = 'public' then p.proname else n.nspname || '.' || p.proname end as name,
       split_part(pg_get_functiondef(p.oid), 'AS $function$', 1) as head, p.prosrc as body,
       case when p.proowner <> d.datdba then p.proowner::regrole::text end as owner
     from pg_proc p join pg_namespace n on n.oid = p.pronamespace, pg_database d
     where n.nspname in ${SCHEMAS} and d.datname = current_database()
     order by n.nspname = 'directory', p.proname, pg_get_function_identity_arguments(p.oid)`,
  );
  return functions.map(({ name, head, body, owner }) => {
    const lines = lower(head)
      .replace('create or replace', 'create')
      .replace('function public.', 'function ')
      .replaceAll('timestamp with time zone', 'timestamptz')
      .replaceAll("'::text", "'")
      .trimEnd()
      .split('\n')
      .map(wrapped)
      .join('\n');
    return {
      name,
      text: `${lines}\nas $$${body}$$;${owner === null ? '' : ` -- owned by ${owner}`}`,
    };
  });
}
