import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { constants, gunzipSync, inflateRawSync } from 'node:zlib';
import pg from 'pg';
import { Secrets } from '../../server/src/common/secrets.ts';

/**
 * Searches for a person everywhere: in every column of every table of the database, and in every file of a folder. It has no list of
 * tables or files, so new ones are searched, too.
 */
export interface Needle {
  /** What kind of text it is: the name of a person's field, or `ticket code`. */
  kind: string;
  text: string;
  /** Whether it is a phone number, which is also found by its digits, whatever is between them. */
  phone?: boolean;
}
export interface Trace {
  /** Where it was found: `table.column`, or the folder of a file with a slash. */
  place: string;
  kind: string;
  text: string;
}

/** The ways in which a text may be encoded where it is stored. All in lower case. */
function spellings(text: string): string[] {
  const plain = text.toLowerCase();
  const folded = plain.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  const bytes = Buffer.from(text);
  const all = [
    plain,
    plain.normalize('NFD'),
    folded,
    JSON.stringify(text)
      .slice(1, -1)
      .replaceAll(/[^\x20-\x7e]/g, unicode)
      .toLowerCase(),
    encodeURIComponent(text).toLowerCase(),
    plain.replaceAll(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`),
    bytes.toString('hex'),
    ...[0, 1, 2].map((shift) => base64Core(bytes, shift)),
  ];
  return [...new Set(all)].filter((one) => one.length >= 4);
}
const unicode = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
/** The text in base64 for each of the three offsets at which it may begin, without the characters that depend on its neighbours. */
function base64Core(bytes: Buffer, shift: number): string {
  const encoded = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString('base64')
    .replaceAll('=', '');
  return encoded.slice(shift === 0 ? 0 : shift + 1, -2).toLowerCase();
}
const digits = ({ phone, text }: Needle): RegExp | null =>
  phone === true ? new RegExp([...text.replaceAll(/\D/g, '').slice(2)].join('[^0-9a-z]{0,3}')) : null;

/** The texts that bytes may contain: as they are, with the lines of mails joined, decompressed. */
function readings(bytes: Buffer): string[] {
  const unpacked = [gunzip(bytes), ...zipped(bytes)].filter((one) => one !== null);
  const texts = [bytes, ...unpacked].flatMap((one) => [one.toString('utf8'), one.toString('utf16le')]);
  const unfolded = texts
    .filter((text) => text.includes('\n'))
    .flatMap((text) => [quotedPrintable(text), text.replaceAll(/\s+/g, '')]);
  return [...texts, ...unfolded].map((text) => text.toLowerCase());
}
const quotedPrintable = (text: string): string =>
  Buffer.from(
    text
      .replaceAll(/=\r?\n/g, '')
      .replaceAll(/=([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');
function gunzip(bytes: Buffer): Buffer | null {
  try {
    return gunzipSync(bytes);
  } catch {
    return null;
  }
}
function zipped(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = bytes.indexOf('PK\x03\x04'); at >= 0; at = bytes.indexOf('PK\x03\x04', at + 4)) {
    const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
    try {
      found.push(inflateRawSync(bytes.subarray(start), { finishFlush: constants.Z_SYNC_FLUSH }));
    } catch {
      // not compressed, or no entry of a zip file; the bytes themselves are searched anyway
    }
  }
  return found;
}

type Look = (bytes: Buffer) => Needle[];
function looker(needles: readonly Needle[]): Look {
  const sought = needles.map((needle) => ({ needle, as: spellings(needle.text), pattern: digits(needle) }));
  return (bytes) => {
    const texts = readings(bytes);
    return sought
      .filter(({ as, pattern }) =>
        texts.some((text) => as.some((one) => text.includes(one)) || pattern?.test(text) === true),
      )
      .map(({ needle }) => needle);
  };
}

/**
 * Every column of every table, except those of PostgreSQL itself. Bytes are also unpacked, and decrypted with the installation's secret.
 * Ids and booleans are left out: nothing that somebody typed fits into them.
 */
export const tracesInDatabase = (adminUrl: string, secret: Buffer, needles: readonly Needle[]): Promise<Trace[]> =>
  asking(adminUrl, async (client) => {
    const look = looker(needles);
    const traces: Trace[] = [];
    for (const table of await tablesOf(client)) {
      const columns = table.columns.filter(({ type }) => !UNTYPED.includes(type));
      const asBytes = columns.map(({ name, type }) =>
        type === 'bytea' ? `"${name}"` : `convert_to("${name}"::text, 'UTF8') as "${name}"`,
      );
      const { rows } = await client.query(`select ${asBytes.join()} from ${table.address}`);
      for (const { name, type } of columns) {
        const stored = new Map<string, Buffer>(
          rows.flatMap((row) => (row[name] === null ? [] : [[row[name].toString('latin1'), row[name]]])),
        );
        const values = [...stored.values()].flatMap((bytes) =>
          type === 'bytea' ? [bytes, opened(secret, bytes), gunzip(bytes) ?? NOTHING] : [bytes],
        );
        const found = look(Buffer.concat(values.flatMap((bytes) => [bytes, BETWEEN])));
        traces.push(...found.map(({ kind, text }) => ({ place: `${table.name}.${name}`, kind, text })));
      }
    }
    return traces;
  });

/** Tables without rows. A search proves nothing about them. */
export const emptyTables = (adminUrl: string): Promise<string[]> =>
  asking(adminUrl, async (client) => {
    const empty: string[] = [];
    for (const { name, address } of await tablesOf(client)) {
      const { rowCount } = await client.query(`select 1 from ${address} limit 1`);
      if (rowCount === 0) empty.push(name);
    }
    return empty;
  });

/** A column about which a search proves nothing. */
export interface UnfilledColumn {
  table: string;
  /** `table.column` */
  place: string;
}

/**
 * Columns that could hold a text about a person, and hold in no row more than nothing or what the column holds if nobody gives it a
 * value. Every type can hold one that is not known to hold something else, so a new type is not overlooked.
 */
export const unfilledColumns = (adminUrl: string): Promise<UnfilledColumn[]> =>
  asking(adminUrl, async (client) => {
    const unfilled: UnfilledColumn[] = [];
    for (const table of await tablesOf(client)) {
      const columns = table.columns.filter(({ type }) => !UNTYPED.includes(type) && !WITHOUT_TEXT.includes(type));
      const filled = columns.map(
        ({ name, initial }) =>
          `bool_or(btrim("${name}"::text) <> all($1) and "${name}"::text is distinct from (${initial ?? 'null'})::text) as "${name}"`,
      );
      const { rows } = await client.query(
        `select ${filled.join()} from ${table.address}`,
        columns.length > 0 ? [EMPTY] : [],
      );
      for (const { name } of columns) {
        if (rows[0][name] !== true) unfilled.push({ table: table.name, place: `${table.name}.${name}` });
      }
    }
    return unfilled;
  });
/** How texts, arrays, objects, bytes and JSON are written that hold nothing. */
const EMPTY = ['', '{}', '[]', 'null', '""', '\\x'];

async function asking<Answer>(adminUrl: string, work: (client: pg.Client) => Promise<Answer>): Promise<Answer> {
  const client = new pg.Client({ connectionString: adminUrl, options: '-c datestyle=ISO -c timezone=UTC' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

interface Table {
  /** With its schema, unless that is `public`. */
  name: string;
  /** The name as SQL takes it. */
  address: string;
  columns: { name: string; type: string; initial: string | null }[];
}
async function tablesOf(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<{ schema: string; table: string } & Table['columns'][number]>(COLUMNS);
  const tables = new Map<string, Table>();
  for (const { schema, table, ...column } of rows) {
    const name = schema === 'public' ? table : `${schema}.${table}`;
    const found: Table = tables.get(name) ?? { name, address: `"${schema}"."${table}"`, columns: [] };
    found.columns.push(column);
    tables.set(name, found);
  }
  return [...tables.values()];
}

const COLUMNS = `
  select n.nspname as schema, c.relname as table, a.attname as name, t.typname as type,
    case when a.attgenerated = '' then pg_get_expr(d.adbin, d.adrelid) end as initial
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped join pg_type t on t.oid = a.atttypid
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relkind in ('r', 'p', 'm', 'f') and not c.relispartition and n.nspname not like 'pg\\_%'
    and n.nspname <> 'information_schema'
  order by n.nspname, c.relname, a.attname`;
/** Types of which no value was typed. */
const UNTYPED = ['bool', 'uuid', '_uuid'];
/** Numbers and times could be a person's, and are searched, but are no texts. Dates are not among them: a birthday is one. */
const WITHOUT_TEXT = ['int2', 'int4', 'int8', 'float8', 'timestamptz', '_timestamptz', 'interval', 'regclass'];
const BETWEEN = Buffer.from('\n--\n');
const NOTHING = Buffer.alloc(0);
function opened(secret: Buffer, bytes: Buffer): Buffer {
  try {
    return new Secrets(secret).decrypt(bytes);
  } catch {
    return NOTHING;
  }
}

export function tracesInFiles(folder: string, needles: readonly Needle[]): Trace[] {
  const look = looker(needles);
  const traces: Trace[] = [];
  const visit = (path: string): void => {
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path)) visit(join(path, name));
      return;
    }
    const name = relative(folder, path);
    const found = [...look(readFileSync(path)), ...look(Buffer.from(name))];
    traces.push(...found.map(({ kind, text }) => ({ place: `${name.split('/')[0]}/`, kind, text })));
  };
  visit(folder);
  return unique(traces);
}

const unique = (traces: readonly Trace[]): Trace[] => [
  ...new Map(traces.map((trace) => [JSON.stringify(trace), trace])).values(),
];
