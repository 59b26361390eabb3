import { type Mode, ROLE_PERMISSIONS, type Role, rateOfKey, type Scope } from '@turnout/contract';
import { type Clock, monthOf } from '../../clock.ts';
import { Coalescer } from '../../common/coalesce.ts';
import { type Id, parseRef } from '../../common/ids.ts';
import { Refusal, refuse } from '../../common/refusal.ts';
import { sha256 } from '../../common/sha256.ts';
import { lookup } from '../../store/lookup.ts';
import type { Pool } from '../../store/pool.ts';
import { type Caller, type OrganizationColumns, organizationOf } from '../caller.ts';
import { KeyUses } from './key-uses.ts';
import { noteMemberSeen, noteSessionUse } from './session-use.ts';

export const hashSecret = (secret: string): Buffer => Buffer.from(sha256(secret), 'hex');

const WRITE_EVERY_MS = 200;

interface KeyRow extends OrganizationColumns {
  hash: Buffer;
  id: Id;
  name: string;
  mode: Mode;
  scopes: Scope[];
  group_id: Id | null;
  group_code: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  allowed_addresses: string[] | null;
  requests_per_minute: number | null;
  calls: number;
}

/** The state of one key, shared by all calls that use it at the same time. */
interface KeyState extends Pick<Caller, 'org' | 'plan'> {
  row: KeyRow;
}

export interface FoundKey {
  caller: Caller;
  allowedAddresses: string[] | null;
}

/**
 * Every request reads its key from the database, and there is no cache of keys: a revoked or expired key fails on its next request,
 * in every process. This is cheap because requests that arrive together share one statement. The same statement adds the calls that
 * were counted since the last one to the month's total (`count`).
 */
export class Keys {
  readonly #pool: Pool;
  readonly #clock: Clock;
  /** Keys are looked up by the hex form of their hash. */
  readonly #lookups: Coalescer<string, KeyState | null>;
  readonly #uses: KeyUses;
  #counted = new Map<Id, number>();
  /** Organizations whose counts were written since `flush` last handed them over. */
  readonly #written = new Set<Id>();
  #writtenAt = 0;
  #flushing = false;

  constructor(pool: Pool, clock: Clock) {
    this.#pool = pool;
    this.#clock = clock;
    this.#lookups = new Coalescer((hashes) => this.#find(hashes));
    this.#uses = new KeyUses(pool, clock);
  }

  async #find(hashes: string[]): Promise<(KeyState | null)[]> {
    // Counts are not written with every statement. `find` adds those that are not written yet, so its numbers are exact.
    const now = Date.now();
    const due = this.#flushing || now - this.#writtenAt > WRITE_EVERY_MS;
    const counted = due ? this.#counted : new Map<Id, number>();
    if (due) {
      this.#counted = new Map();
      this.#writtenAt = now;
    }
    try {
      const hashBytes = [...new Set(hashes)].map((hash) => Buffer.from(hash, 'hex')); // a key that several calls use is asked for once
      const { rows } = await lookup<KeyRow>(this.#pool, {
        name: 'find_keys',
        text: 'select * from directory.find_keys($1, $2, $3, $4)',
        values: [hashBytes, [...counted.keys()], [...counted.values()], monthOf(this.#clock.now())],
      });
      for (const org of counted.keys()) this.#written.add(org);
      const found = new Map(rows.map((row) => [row.hash.toString('hex'), { row, ...organizationOf(row) }]));
      return hashes.map((hash) => found.get(hash) ?? null);
    } catch (error) {
      for (const [org, calls] of counted) this.#add(org, calls); // written with the next statement instead
      throw error;
    }
  }

  async find(authorization: string | undefined): Promise<FoundKey> {
    if (!isBearer(authorization)) throw new Refusal('api_key_required');
    const secret = bearer(authorization);
    if (secret === null) throw new Refusal('api_key_unknown');
    // Any text is looked up, whatever it looks like, so that an unknown key takes as long as a known one.
    const known = await this.#lookups.ask(sha256(secret));
    if (known === null) throw new Refusal('api_key_unknown');
    const { row, org, plan } = known;
    if (row.revoked_at !== null) throw new Refusal('api_key_revoked');
    const now = this.#clock.now();
    if (row.expires_at !== null && Date.parse(row.expires_at) <= now.getTime()) throw new Refusal('api_key_expired');
    const caller: Caller = {
      actor: {
        kind: 'key',
        id: row.id,
        name: row.name,
        scopes: row.scopes,
        expiresAt: row.expires_at,
        requestsPerMinute: rateOfKey(row.requests_per_minute, plan.limits.api_rate_per_min),
      },
      org,
      plan,
      mode: row.mode,
      group: row.group_id === null ? null : { id: row.group_id, code: row.group_code! },
      usage: { month: monthOf(now), calls: row.calls + (this.#counted.get(org.id) ?? 0) },
    };
    return { caller, allowedAddresses: row.allowed_addresses };
  }

  /** Counts a call toward the month and notes that the key was used. The count is written with a later lookup or by `flush`, the use by `flush`. */
  count(org: Id, key: Id): void {
    this.#add(org, 1);
    this.#uses.note(org, key);
  }

  #add(org: Id, calls: number): void {
    this.#counted.set(org, (this.#counted.get(org) ?? 0) + calls);
  }

  /** Writes the counts and the uses of keys, and calls `look` with the organizations whose counts have changed since the last time. */
  async flush(look: (orgs: Id[]) => Promise<void>): Promise<void> {
    await this.#uses.write();
    if (this.#counted.size > 0) {
      this.#flushing = true;
      try {
        await this.#lookups.ask('');
      } finally {
        this.#flushing = false;
      }
    }
    const orgs = [...this.#written];
    if (orgs.length === 0) return;
    this.#written.clear();
    try {
      await look(orgs);
    } catch (error) {
      for (const org of orgs) this.#written.add(org);
      throw error;
    }
  }
}

/** Whether the header offers a key at all, valid or not. */
export const isBearer = (authorization: string | undefined): boolean => /^Bearer(?:\s|$)/i.test(authorization ?? '');

function bearer(authorization: string | undefined): string | null {
  const match = /^Bearer +(\S+)$/i.exec(authorization ?? '');
  return match?.[1] ?? null;
}

/**
 * Finds a member by the token of their session and the organization (its code or id) in the address. Membership, role, group and
 * the rule about second factors are read on every request, so a change of them holds from the next click on.
 */
export async function findMember(
  pool: Pool,
  clock: Clock,
  token: string | undefined,
  org: string,
  address: string,
): Promise<Caller> {
  if (token === undefined) return refuse('sign_in_required');
  const { id, code } = parseRef(org);
  const { rows } = await lookup(pool, {
    name: 'find_session',
    text: 'select * from directory.find_session($1, $2, $3, $4, $5)',
    values: [hashSecret(token), code, id, monthOf(clock.now()), clock.now()],
  });
  const row = rows[0];
  if (row === undefined) return refuse('sign_in_required');
  if (row.member_id === null) {
    return refuse('not_found', { message: 'There is no such organization, or you are not a member of it.' });
  }
  if (row.require_second_factor && !row.second_factor) return refuse('second_factor_required');
  await noteSessionUse(pool, clock, { id: row.session_id, last_used_at: row.last_used_at }, address);
  await noteMemberSeen(pool, clock, { id: row.member_id, org: row.org_id, last_seen_at: row.last_seen_at });
  return {
    actor: {
      kind: 'member',
      id: row.member_id,
      name: row.name,
      role: row.role as Role,
      permissions: ROLE_PERMISSIONS[row.role as Role],
      account: { id: row.account_id, email: row.email },
      session: { id: row.session_id, secondFactor: row.second_factor, provedAt: row.proved_at },
    },
    ...organizationOf(row),
    mode: 'live',
    group: row.group_id === null ? null : { id: row.group_id, code: row.group_code },
    usage: { month: monthOf(clock.now()), calls: row.calls },
  };
}

export const DEVICE_TOKEN_PREFIX = 'svc_device_';

/** Finds a paired device by its bearer token. The token is not an API key, and its calls are not counted toward the month. */
export async function findDevice(pool: Pool, clock: Clock, token: string): Promise<Caller> {
  const { rows } = await lookup(pool, {
    name: 'find_scanner',
    text: 'select * from directory.find_scanner($1)',
    values: [hashSecret(token)],
  });
  const row = rows[0];
  if (row === undefined) return refuse('api_key_unknown', { message: 'This scanner is not paired. Pair it again.' });
  if (row.revoked_at !== null) {
    return refuse('api_key_revoked', { message: 'This scanner was unpaired by an organizer. Pair it again.' });
  }
  return {
    actor: { kind: 'device', id: row.id, name: row.name, event: row.event_id },
    ...organizationOf(row),
    mode: 'live',
    group: row.group_id === null ? null : { id: row.group_id, code: row.group_code },
    usage: { month: monthOf(clock.now()), calls: 0 },
  };
}

export const deviceToken = (authorization: string | undefined): string | null => {
  const token = bearer(authorization);
  return token?.startsWith(DEVICE_TOKEN_PREFIX) ? token : null;
};
