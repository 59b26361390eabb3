import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { type Clock, DAY } from '../../clock.ts';
import { Coalescer } from '../../common/coalesce.ts';
import { refuse } from '../../common/refusal.ts';
import { lookup } from '../../store/lookup.ts';
import type { Pool } from '../../store/pool.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';

/**
 * The license of a self-hosted installation is a text signed with Ed25519 by its issuer. It is checked offline.
 * While it is expired, missing or not genuine, events cannot be published. It can be revoked by a signed notice, which is stored in
 * the database so that every process knows it. Seven days after that the installation is read-only, until it gets another license
 * that is valid or was issued after the notice. No other setting lifts the notice.
 */
export const GRACE = 7 * DAY;

export interface LicensePayload {
  id: string;
  licensee: string;
  issued_at: string;
  expires_at: string;
}
export interface RevocationPayload {
  license_id: string;
  revoked_at: string;
}
export type Validity = 'valid' | 'expired' | 'missing' | 'does_not_verify';

const pack = (prefix: string, payload: object, key: KeyObject): string => {
  const text = `${prefix}.${Buffer.from(JSON.stringify(payload)).toString('base64url')}`;
  return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`;
};
const unpack = <T>(prefix: string, token: string, key: KeyObject): T | null => {
  const [kind, body, signature, ...rest] = token.trim().split('.');
  if (kind !== prefix || body === undefined || signature === undefined || rest.length > 0) return null;
  const genuine = verify(null, Buffer.from(`${kind}.${body}`), key, Buffer.from(signature, 'base64url'));
  if (!genuine) return null;
  try {
    return JSON.parse(Buffer.from(body, 'base64url').toString()) as T;
  } catch {
    return null;
  }
};

export const signLicense = (payload: LicensePayload, key: KeyObject): string => pack('TL1', payload, key);
export const readLicense = (token: string, key: KeyObject): LicensePayload | null => unpack('TL1', token, key);
export const signRevocation = (payload: RevocationPayload, key: KeyObject): string => pack('TR1', payload, key);
export const readRevocation = (token: string, key: KeyObject): RevocationPayload | null => unpack('TR1', token, key);
export const publicKeyFrom = (text: string): KeyObject =>
  text.includes('BEGIN')
    ? createPublicKey(text)
    : createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });

/** What members are told about the license. */
export interface LicenseStatus {
  validity: Validity;
  expires_at: string | null;
  /** When the installation becomes or became read-only. Null: the license was not revoked. */
  read_only_at: string | null;
  read_only: boolean;
}

export interface License {
  requireWritable(): Promise<void>;
  requirePublishable(): void;
  /** Null: the installation needs no license. */
  status(): Promise<LicenseStatus | null>;
}

/** Turnout's own hosting needs no license. */
export const hostedLicense: License = {
  requireWritable: async () => {},
  requirePublishable: () => {},
  status: async () => null,
};

interface Revocation {
  id: string;
  at: Date;
}

export async function revocations(pool: Pool): Promise<Revocation[]> {
  const { rows } = await lookup<{ license_id: string; revoked_at: string }>(pool, {
    name: 'license_revocations',
    text: 'select license_id, revoked_at from directory.license_revocations()',
  });
  return rows.map((row) => ({ id: row.license_id, at: new Date(row.revoked_at) }));
}

/** Records a notice of revocation. The columns of `installation` are written for the previous release, which reads them. */
export async function recordRevocation(tx: Tx, { license_id, revoked_at }: RevocationPayload): Promise<void> {
  await tx.run(sql`
    insert into license_revocations (license_id, revoked_at) values (${license_id}, ${revoked_at})
    on conflict (license_id) do update set revoked_at = least(license_revocations.revoked_at, excluded.revoked_at)`);
  await tx.run(sql`update installation set license_id = ${license_id}, license_revoked_at = ${revoked_at}`);
}

export class SelfHostedLicense implements License {
  readonly #clock: Clock;
  readonly #payload: LicensePayload | 'missing' | 'does_not_verify';
  readonly #revokedAt: Coalescer<null, Date | null>;

  constructor(pool: Pool, clock: Clock, token: string | undefined, key: KeyObject | undefined) {
    this.#clock = clock;
    if (token === undefined || token.trim() === '') this.#payload = 'missing';
    else this.#payload = (key === undefined ? null : readLicense(token, key)) ?? 'does_not_verify';
    this.#revokedAt = new Coalescer(async (asks) => {
      const at = this.#revoked(await revocations(pool));
      return asks.map(() => at);
    });
  }

  #revoked(notices: readonly Revocation[]): Date | null {
    const license = typeof this.#payload === 'string' ? null : this.#payload;
    const own = notices.filter(({ id }) => id === license?.id);
    if (own.length > 0) return earliest(own);
    // The revocation of another license does not concern a valid one.
    if (license !== null && this.validity() === 'valid') return null;
    const issuedAt = license === null ? Number.NEGATIVE_INFINITY : Date.parse(license.issued_at);
    return earliest(notices.filter(({ at }) => at.getTime() > issuedAt));
  }

  validity(): Validity {
    if (typeof this.#payload === 'string') return this.#payload;
    return Date.parse(this.#payload.expires_at) <= this.#clock.now().getTime() ? 'expired' : 'valid';
  }

  async #readOnlyAt(): Promise<Date | null> {
    const revokedAt = await this.#revokedAt.ask(null);
    return revokedAt === null ? null : new Date(revokedAt.getTime() + GRACE);
  }

  async requireWritable(): Promise<void> {
    const since = await this.#readOnlyAt();
    if (since === null || since.getTime() > this.#clock.now().getTime()) return;
    refuse('instance_read_only', { fields: { read_only_since: since.toISOString() } });
  }

  async status(): Promise<LicenseStatus> {
    const at = await this.#readOnlyAt();
    return {
      validity: this.validity(),
      expires_at: typeof this.#payload === 'string' ? null : new Date(this.#payload.expires_at).toISOString(),
      read_only_at: at?.toISOString() ?? null,
      read_only: at !== null && at.getTime() <= this.#clock.now().getTime(),
    };
  }

  requirePublishable(): void {
    const validity = this.validity();
    if (validity === 'valid') return;
    const why = {
      expired: 'The license of this installation has expired. Renew it and set LICENSE_KEY.',
      missing: 'This installation has no license. Set LICENSE_KEY.',
      does_not_verify: 'The license of this installation does not verify. Check LICENSE_KEY for a copying mistake.',
    };
    refuse('license_not_valid', { message: why[validity], fields: { validity } });
  }
}

const earliest = (notices: readonly Revocation[]): Date | null =>
  notices.length === 0 ? null : new Date(Math.min(...notices.map(({ at }) => at.getTime())));
