import { randomInt } from 'node:crypto';
import { MODES, SCOPES } from '@turnout/contract';
import { parseRange } from '../../common/addresses.ts';
import { type Id, newId, parseRef, toUlid } from '../../common/ids.ts';
import { type Fault, invalidRequest, refuse } from '../../common/refusal.ts';
import { isVisible } from '../../common/unicode.ts';
import { hashSecret } from '../../road/gate/authenticate.ts';
import { isKeptTimestamp } from '../../road/request/formats.ts';
import { stampOrganization } from '../../store/clocks.ts';
import { insertRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { isUsable, keyById, keyShape } from './key-rows.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** 32 characters out of 62 are 190 random bits. */
const random = (): string => Array.from({ length: 32 }, () => LETTERS[randomInt(LETTERS.length)]).join('');

/** Whoever needs more of them has forgotten to revoke some. */
export const MAX_USABLE_KEYS = 500;
const MAX_ADDRESSES = 50;

export interface KeyFields {
  name: string;
  mode: string;
  scopes: readonly string[];
  group?: string | undefined;
  expires?: string | undefined;
  allow?: readonly string[] | undefined;
  rpm?: number | undefined;
  /** The member who makes it; left out for the operator. */
  by?: Id | undefined;
  /** Only for the sandbox, whose key is published; every other secret is random. */
  secret?: string;
}

/** Accepts what JavaScript reads as a time, because keys are also made on the command line: a date alone is midnight UTC. */
function isTime(text: string): boolean {
  const at = new Date(text);
  return !Number.isNaN(at.getTime()) && isKeptTimestamp(at.toISOString());
}

export const addressFaults = (addresses: readonly (string | undefined)[]): Fault[] => [
  ...(addresses.length > MAX_ADDRESSES
    ? [{ path: 'allowed_addresses', message: `must have at most ${MAX_ADDRESSES} addresses and ranges` }]
    : []),
  ...addresses.flatMap((text, i) =>
    text !== undefined && parseRange(text) === null
      ? [
          {
            path: `allowed_addresses/${i}`,
            message: `must be an address or a range such as 192.0.2.0/24 or 2001:db8::/32; ${text} is neither`,
          },
        ]
      : [],
  ),
];

export function expiryFaults(expires: string, now: Date): Fault[] {
  const path = 'expires_at';
  if (!isTime(expires)) {
    const example = 'such as 2027-01-31 or 2027-01-31T12:00:00Z';
    return [{ path, message: `must be a time in the years 1900 to 2200, ${example}; ${expires} is not` }];
  }
  return new Date(expires) <= now
    ? [{ path, message: `must be in the future; with ${expires} the key would never work` }]
    : [];
}

/** Everything that is wrong with a key that somebody wants, except for its group. */
export function keyFaults(wanted: KeyFields, now: Date): Fault[] {
  const { name, mode, scopes, expires, allow, rpm } = wanted;
  const faults: Fault[] = [];
  if (!isVisible(name) || name.length > 200) {
    faults.push({ path: 'name', message: 'must have visible characters, and at most 200 characters' });
  }
  if (!(MODES as readonly string[]).includes(mode)) {
    faults.push({ path: 'mode', message: `must be ${MODES.join(' or ')}; ${mode} is not a mode` });
  }
  const known = SCOPES.join(', ');
  if (scopes.length === 0) faults.push({ path: 'scopes', message: `must name at least one of ${known}` });
  for (const [i, scope] of scopes.entries()) {
    if ((SCOPES as readonly string[]).includes(scope)) continue;
    faults.push({ path: `scopes/${i}`, message: `must be one of ${known}; ${scope} is not a scope` });
  }
  faults.push(...addressFaults(allow ?? []));
  if (expires !== undefined) faults.push(...expiryFaults(expires, now));
  if (rpm !== undefined && !(Number.isInteger(rpm) && rpm > 0)) {
    faults.push({ path: 'requests_per_minute', message: 'must be a whole number greater than 0' });
  }
  return faults;
}

/** Makes a key, for a member as for the operator. The secret is only in the answer; the table holds its hash. */
export async function createKey(tx: Tx, org: Id, fields: KeyFields) {
  const now = tx.clock.now();
  const faults = keyFaults(fields, now);
  if (faults.length > 0) throw invalidRequest(faults);
  // Keys are made one at a time while this clock is held, so that they are counted exactly and no group goes away meanwhile.
  await stampOrganization(tx, org);
  await requireRoom(tx, org, now);
  const group = fields.group === undefined ? null : await groupOf(tx, org, fields.group);
  const id = newId(now);
  const secret = fields.secret ?? `svc_${fields.mode}_${random()}`;
  await insertRow(tx, 'api_keys', {
    org_id: org,
    id,
    name: fields.name,
    mode: fields.mode,
    scopes: [...new Set(fields.scopes)],
    group_id: group,
    hash: hashSecret(secret),
    last4: secret.slice(-4),
    expires_at: fields.expires === undefined ? null : new Date(fields.expires),
    allowed_addresses: fields.allow === undefined || fields.allow.length === 0 ? null : [...fields.allow],
    requests_per_minute: fields.rpm ?? null,
    created_by: fields.by ?? null,
    created_at: now,
  });
  return { ...keyShape((await keyById(tx, org, id))!, now), secret };
}

async function requireRoom(tx: Tx, org: Id, now: Date): Promise<void> {
  const { usable } = await tx.one<{ usable: number }>(sql`
    select count(*)::int as usable from api_keys k where k.org_id = ${org} and ${isUsable(now)}`);
  if (usable < MAX_USABLE_KEYS) return;
  refuse('invalid_state', {
    message: `This organization has ${MAX_USABLE_KEYS} usable API keys, the most it can have. Revoke one you don’t need.`,
  });
}

async function groupOf(tx: Tx, org: Id, ref: string): Promise<Id> {
  const { id, code } = parseRef(ref);
  const row = await tx.maybe<{ id: Id }>(sql`
    select id from groups where org_id = ${org} and (id = ${id}::uuid or lower(code) = lower(${code}::text))`);
  return row?.id ?? refuse('not_found', { message: `There is no group ${ref} in this organization.` });
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
