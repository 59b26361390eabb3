import { randomInt } from 'node:crypto';
import { MODES, SCOPES } from '@turnout/contract';
import { parseRange } from '../../road/addresses.ts';
import { hashSecret } from '../../road/authenticate.ts';
import { isKeptTimestamp } from '../../road/formats.ts';
import { refuse } from '../../road/refusal.ts';
import { type Id, newId, parseRef, toUlid } from '../../store/ids.ts';
import { insertRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { isVisible } from '../../unicode.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** 32 characters out of 62 are 190 random bits. */
const random = (): string => Array.from({ length: 32 }, () => LETTERS[randomInt(LETTERS.length)]).join('');

export interface KeyWanted {
  name: string;
  mode: string;
  scopes: readonly string[];
  group?: string | undefined;
  expires?: string | undefined;
  allow?: readonly string[] | undefined;
  rpm?: number | undefined;
  /** Only for the sandbox, whose key is published; every other secret is random. */
  secret?: string;
}

/** Accepts what JavaScript reads as a time, because keys are made on the command line: a date alone is midnight UTC. */
function isTime(text: string): boolean {
  const at = new Date(text);
  return !Number.isNaN(at.getTime()) && isKeptTimestamp(at.toISOString());
}

/** The secret is only in the answer; the table holds its hash. */
export async function createKey(tx: Tx, org: Id, wanted: KeyWanted) {
  const bad = (message: string) => refuse('validation_failed', { message });
  if (!(MODES as readonly string[]).includes(wanted.mode))
    bad(`${wanted.mode} is not a mode. Modes: ${MODES.join(', ')}.`);
  if (!isVisible(wanted.name) || wanted.name.length > 200) bad('A key needs a name of at most 200 visible characters.');
  if (wanted.scopes.length === 0) bad(`A key needs at least one scope. Scopes: ${SCOPES.join(', ')}.`);
  for (const scope of wanted.scopes) {
    if (!(SCOPES as readonly string[]).includes(scope)) bad(`${scope} is not a scope. Scopes: ${SCOPES.join(', ')}.`);
  }
  for (const range of wanted.allow ?? []) {
    if (parseRange(range) === null) bad(`${range} is not an address or a range such as 192.0.2.0/24 or 2001:db8::/32.`);
  }
  if (wanted.expires !== undefined && !isTime(wanted.expires)) {
    bad(`${wanted.expires} is not a time in the years 1900 to 2200, such as 2027-01-31 or 2027-01-31T12:00:00Z.`);
  }
  const now = tx.clock.now();
  if (wanted.expires !== undefined && new Date(wanted.expires) <= now) {
    bad(`${wanted.expires} is in the past, so the key would never work. Give a later time.`);
  }
  if (wanted.rpm !== undefined && !(Number.isInteger(wanted.rpm) && wanted.rpm > 0))
    bad('--rpm must be a whole number greater than 0.');
  const group = wanted.group === undefined ? null : await groupOf(tx, org, wanted.group);
  const id = newId(now);
  const secret = wanted.secret ?? `svc_${wanted.mode}_${random()}`;
  const expires_at = wanted.expires === undefined ? null : new Date(wanted.expires).toISOString();
  await insertRow(tx, 'api_keys', {
    org_id: org,
    id,
    name: wanted.name,
    mode: wanted.mode,
    scopes: [...new Set(wanted.scopes)],
    group_id: group?.id ?? null,
    hash: hashSecret(secret),
    last4: secret.slice(-4),
    expires_at,
    allowed_addresses: wanted.allow === undefined || wanted.allow.length === 0 ? null : [...wanted.allow],
    requests_per_minute: wanted.rpm ?? null,
    created_at: now,
  });
  return {
    id: toUlid(id),
    secret,
    name: wanted.name,
    mode: wanted.mode,
    scopes: [...new Set(wanted.scopes)],
    group: group?.code ?? null,
    expires_at,
    allowed_addresses: wanted.allow ?? null,
    requests_per_minute: wanted.rpm ?? null,
  };
}

async function groupOf(tx: Tx, org: Id, ref: string): Promise<{ id: Id; code: string }> {
  const { id, code } = parseRef(ref);
  const row = await tx.maybe<{ id: Id; code: string }>(sql`
    select id, code from groups where org_id = ${org} and (id = ${id}::uuid or lower(code) = lower(${code}::text))`);
  return row ?? refuse('not_found', { message: `There is no group ${ref} in this organization.` });
}

interface KeyRow {
  id: Id;
  name: string;
  mode: string;
  scopes: string[];
  group: string | null;
  last4: string;
  expires_at: string | null;
  revoked_at: string | null;
  allowed_addresses: string[] | null;
  requests_per_minute: number | null;
  created_at: string;
}

/** Newest first. The last four characters of a secret are enough to tell which key a program uses. */
export async function listKeys(tx: Tx, org: Id) {
  const rows = await tx.all<KeyRow>(sql`
    select k.id, k.name, k.mode, k.scopes, g.code as "group", k.last4, k.expires_at, k.revoked_at, k.allowed_addresses,
      k.requests_per_minute, k.created_at
    from api_keys k left join groups g on g.org_id = k.org_id and g.id = k.group_id where k.org_id = ${org} order by k.id desc`);
  const now = tx.clock.now();
  const state = ({ revoked_at, expires_at }: KeyRow) => {
    if (revoked_at !== null) return 'revoked';
    return expires_at !== null && new Date(expires_at) <= now ? 'expired' : 'usable';
  };
  return rows.map((row) => ({ ...row, id: toUlid(row.id), state: state(row) }));
}

/** The key is refused from its next request on, in every process. Revoking it twice changes nothing. */
export async function acrossOrganizationsRevokeKey(tx: Tx, ref: string) {
  const { id } = parseRef(ref);
  const row =
    id === null
      ? null
      : await tx.maybe<{ id: Id; org_id: Id; name: string; revoked_at: string }>(sql`
          update api_keys set revoked_at = coalesce(revoked_at, ${tx.clock.now()}::timestamptz) where id = ${id}
          returning id, org_id, name, revoked_at`);
  if (row === null) return refuse('not_found', { message: `There is no API key ${ref}.` });
  return { org: row.org_id, key: { id: toUlid(row.id), name: row.name, revoked_at: row.revoked_at } };
}
