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
  /** What kind of text it is: `name`, `ticket code` … */
  kind: string;
  text: string;
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
/** Phone numbers are also found by their digits, whatever is between them. */
const digits = ({ kind, text }: Needle): RegExp | null =>
  kind === 'phone' ? new RegExp([...text.replaceAll(/\D/g, '').slice(2)].join('[^0-9a-z]{0,3}')) : null;

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

/** Every column of every table, except those of PostgreSQL itself. Values encrypted with the installation's secret are decrypted. */
export async function tracesInDatabase(adminUrl: string, secret: Buffer, needles: readonly Needle[]): Promise<Trace[]> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const look = looker(needles);
    const { rows: columns } = await client.query(COLUMNS);
    const traces: Trace[] = [];
    for (const { schema, table, column, type } of columns) {
      const value = type === 'bytea' ? `"${column}"` : `convert_to("${column}"::text, 'UTF8')`;
      const { rows } = await client.query(
        `select distinct ${value} as bytes from "${schema}"."${table}" where "${column}" is not null`,
      );
      const values = rows.flatMap(({ bytes }) => [bytes, ...(type === 'bytea' ? [opened(secret, bytes)] : [])]);
      const found = look(Buffer.concat(values.flatMap((bytes) => [bytes, BETWEEN])));
      const place = schema === 'public' ? `${table}.${column}` : `${schema}.${table}.${column}`;
      traces.push(...found.map((needle) => ({ place, ...needle })));
    }
    return traces;
  } finally {
    await client.end();
  }
}

/** Tables without rows. A search proves nothing about them. */
export async function emptyTables(adminUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const empty: string[] = [];
    const { rows } = await client.query(`select distinct c.schema, c."table" from (${COLUMNS}) c order by 1, 2`);
    for (const { schema, table } of rows) {
      const { rowCount } = await client.query(`select 1 from "${schema}"."${table}" limit 1`);
      if (rowCount === 0) empty.push(table);
    }
    return empty;
  } finally {
    await client.end();
  }
}

const COLUMNS = `
  select n.nspname as schema, c.relname as table, a.attname as column, t.typname as type
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped join pg_type t on t.oid = a.atttypid
  where c.relkind in ('r', 'p', 'm') and not c.relispartition and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'
    and t.typname not in ('bool', 'int2', 'int4', 'int8', 'float8', 'uuid', '_uuid', 'timestamptz')
  order by n.nspname, c.relname, a.attname`;
const BETWEEN = Buffer.from('\n--\n');
function opened(secret: Buffer, bytes: Buffer): Buffer {
  try {
    return new Secrets(secret).decrypt(bytes);
  } catch {
    return Buffer.alloc(0);
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
    traces.push(...found.map((needle) => ({ place: `${name.split('/')[0]}/`, ...needle })));
  };
  visit(folder);
  return unique(traces);
}

const unique = (traces: readonly Trace[]): Trace[] => [
  ...new Map(traces.map((trace) => [JSON.stringify(trace), trace])).values(),
];
