import { type Mode, ROLE_PERMISSIONS, type Role, type Scope } from '@turnout/contract';
import { type Clock, monthOf } from '../clock.ts';
import { sha256 } from '../sha256.ts';
import type { Id } from '../store/ids.ts';
import type { Pool } from '../store/pool.ts';
import { type Caller, type OrganizationColumns, organizationOf } from './caller.ts';
import { Coalescer } from './coalesce.ts';
import { Refusal, refuse } from './refusal.ts';

export const hashSecret = (secret: string): Buffer => Buffer.from(sha256(secret), 'hex');

const DEFAULT_RATE = 60;
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

/** What callers who come together with one key share. */
interface Known extends Pick<Caller, 'org' | 'plan'> {
  row: KeyRow;
}

export interface FoundKey {
  caller: Caller;
  allowedAddresses: string[] | null;
}

/**
 * Keys are read on every request: a revoked or expired key fails on its next request, on every process. What makes that
 * cheap is that requests which arrive together share one statement, and that the same statement adds the calls counted
 * since the last one to the month (`count`). There is no cache of keys.
 */
export class Keys {
  readonly #pool: Pool;
  readonly #clock: Clock;
  /** By their hashes, in hex. */
  readonly #lookups: Coalescer<string, Known | null>;
  #counted = new Map<Id, number>();
  /** Whose counts were written since somebody looked at them. */
  readonly #written = new Set<Id>();
  #writtenAt = 0;
  #flushing = false;

  constructor(pool: Pool, clock: Clock) {
    this.#pool = pool;
    this.#clock = clock;
    this.#lookups = new Coalescer((hashes) => this.#find(hashes));
  }

  async #find(hashes: string[]): Promise<(Known | null)[]> {
    // The count itself can wait a moment: what is not written yet is added below, so it is exact here.
    const now = Date.now();
    const due = this.#flushing || now - this.#writtenAt > WRITE_EVERY_MS;
    const counted = due ? this.#counted : new Map<Id, number>();
    if (due) {
      this.#counted = new Map();
      this.#writtenAt = now;
    }
    try {
      const asked = [...new Set(hashes)].map((hash) => Buffer.from(hash, 'hex')); // one busy key is asked for once
      const { rows } = await this.#pool.query<KeyRow>({
        name: 'find_keys',
        text: 'select * from directory.find_keys($1, $2, $3, $4)',
        values: [asked, [...counted.keys()], [...counted.values()], monthOf(this.#clock.now())],
      });
      for (const org of counted.keys()) this.#written.add(org);
      const found = new Map(rows.map((row) => [row.hash.toString('hex'), { row, ...organizationOf(row) }]));
      return hashes.map((hash) => found.get(hash) ?? null);
    } catch (error) {
      for (const [org, calls] of counted) this.#add(org, calls); // not counted yet: with the next visit
      throw error;
    }
  }

  async find(authorization: string | undefined): Promise<FoundKey> {
    if (!isBearer(authorization)) throw new Refusal('api_key_required');
    const secret = bearer(authorization);
    if (secret === null) throw new Refusal('api_key_unknown');
    // One lookup whatever the text looks like, so an unknown key takes as long as a known one.
    const known = await this.#lookups.ask(sha256(secret));
    if (known === null) throw new Refusal('api_key_unknown');
    const { row, org, plan } = known;
    if (row.revoked_at !== null) throw new Refusal('api_key_revoked');
    const now = this.#clock.now();
    if (row.expires_at !== null && Date.parse(row.expires_at) <= now.getTime()) throw new Refusal('api_key_expired');
    const ceiling = plan.limits.api_rate_per_min ?? Number.POSITIVE_INFINITY;
    const caller: Caller = {
      actor: {
        kind: 'key',
        id: row.id,
        name: row.name,
        scopes: row.scopes,
        expiresAt: row.expires_at,
        requestsPerMinute: Math.min(row.requests_per_minute ?? DEFAULT_RATE, ceiling),
      },
      org,
      plan,
      mode: row.mode,
      group: row.group_id === null ? null : { id: row.group_id, code: row.group_code! },
      usage: { month: monthOf(now), calls: row.calls + (this.#counted.get(org.id) ?? 0) },
    };
    return { caller, allowedAddresses: row.allowed_addresses };
  }

  /** Counts a call toward the month; written with the next lookup, or by `flush`. */
  count(org: Id): void {
    this.#add(org, 1);
  }

  #add(org: Id, calls: number): void {
    this.#counted.set(org, (this.#counted.get(org) ?? 0) + calls);
  }

  /** Writes what was counted, and hands over whose counts have changed since: every second, and before the process stops. */
  async flush(look: (orgs: Id[]) => Promise<void>): Promise<void> {
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

/** Whether a key is offered at all, whatever it is worth. */
export const isBearer = (authorization: string | undefined): boolean => /^Bearer(?:\s|$)/i.test(authorization ?? '');

function bearer(authorization: string | undefined): string | null {
  const match = /^Bearer +(\S+)$/i.exec(authorization ?? '');
  return match?.[1] ?? null;
}

/** Members come by session cookie on `/app/api`; a session is made by the sign-in of the admin app. */
export async function findMember(pool: Pool, clock: Clock, token: string | undefined): Promise<Caller> {
  if (token === undefined) return refuse('sign_in_required');
  const { rows } = await pool.query({
    name: 'find_session',
    text: 'select * from directory.find_session($1, $2)',
    values: [hashSecret(token), monthOf(clock.now())],
  });
  const row = rows[0];
  if (row === undefined || Date.parse(row.expires_at) <= clock.now().getTime()) return refuse('sign_in_required');
  return {
    actor: { kind: 'member', id: row.id, name: row.name, permissions: ROLE_PERMISSIONS[row.role as Role] },
    ...organizationOf(row),
    mode: 'live',
    group: row.group_id === null ? null : { id: row.group_id, code: row.group_code },
    usage: { month: monthOf(clock.now()), calls: row.calls },
  };
}

export const DEVICE_TOKEN_PREFIX = 'svc_device_';

/** A paired device carries its token as a bearer on the scanner host; it is not a key and counts no calls. */
export async function findDevice(pool: Pool, clock: Clock, token: string): Promise<Caller> {
  const { rows } = await pool.query({
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
