import { refuse } from '../common/refusal.ts';
import { Secrets } from '../common/secrets.ts';
import { type Config, ConfigError, masterSecret } from '../config.ts';
import { Platforms } from '../outside/platforms.ts';
import { type Caller, type OrganizationColumns, organizationOf } from '../road/caller.ts';
import { Links } from '../road/for-areas/links.ts';
import { hostedLicense } from '../road/gate/license.ts';
import type { Change, Outside, Work } from '../road/operation.ts';
import { writeAudit } from '../road/write/record.ts';
import type { Pool } from '../store/pool.ts';
import { sql } from '../store/sql.ts';
import { jobTransaction, type Tx } from '../store/tx.ts';
import { clock } from './database.ts';

/** Runs operations for an organization as its operator, by the same rules as for members. */
export class Operator {
  readonly platforms: Platforms;
  readonly #pool: Pool;
  readonly #org: string;
  readonly #secrets: Secrets;
  readonly #links: Links;

  private constructor(pool: Pool, org: string, secrets: Secrets, links: Links, platforms: Platforms) {
    this.#pool = pool;
    this.#org = org;
    this.#secrets = secrets;
    this.#links = links;
    this.platforms = platforms;
  }

  static async of(
    config: Config,
    pool: Pool,
    org: string,
    known: ConstructorParameters<typeof Platforms>[0],
  ): Promise<Operator> {
    const secrets = await secretsOf(config, pool);
    const links = new Links(secrets, clock, config.scannerUrl, config.publicUrl);
    return new Operator(pool, org, secrets, links, new Platforms(known, secrets));
  }

  /** Runs the work in one transaction and writes what it changes to the organization's audit log, as `action`. */
  do<T>(action: string, work: (work: Work) => Promise<T>): Promise<T> {
    return jobTransaction(this.#pool, clock, { role: 'system' }, async (tx) => {
      const caller = await callerOf(tx, this.#org);
      const changes: Change[] = [];
      const done = await work({
        tx,
        org: caller.org.id,
        caller,
        mode: 'live',
        request: { id: 'cli', client: null },
        license: hostedLicense,
        links: this.#links,
        secrets: this.#secrets,
        outside: { platforms: this.platforms } as Outside,
        changed: (change) => changes.push(change),
        raise: () => {},
      });
      const by = { caller, source: 'cli', client: null, requestId: null } as const;
      writeAudit(
        tx,
        caller.org.id,
        changes.map((change) => ({ ...change, ...by, action: change.action ?? action })),
      );
      return done;
    });
  }
}

async function callerOf(tx: Tx, code: string): Promise<Caller> {
  const row = await tx.maybe<OrganizationColumns>(sql`
    select o.id as org_id, o.code as org_code, o.name as org_name, o.timezone as org_timezone, o.terminology as org_terminology,
      o.plan, p.entitlements, p.limits as plan_limits, o.limits
    from organizations o join plans p on p.code = o.plan where lower(o.code) = lower(${code})`);
  return {
    ...organizationOf(row ?? refuse('not_found', { message: `There is no organization ${code}.` })),
    actor: { kind: 'system', id: null, name: 'operator' },
    mode: 'live',
    group: null,
    usage: { month: '', calls: 0 },
  };
}

/** What is encrypted here is decrypted by the server, so the secret key must be the server's. */
async function secretsOf(config: Config, pool: Pool): Promise<Secrets> {
  const missing = (): never => {
    throw new ConfigError(
      'The secret key of this installation was not found. Set DATA_DIR or SECRET_KEY as for the server, and start the server once.',
    );
  };
  const secrets = new Secrets(masterSecret(config, missing));
  const row = await jobTransaction(pool, clock, { role: 'system' }, (tx) =>
    tx.maybe<{ secret_check: Buffer | null }>(sql`select secret_check from installation`),
  );
  return row?.secret_check?.equals(secrets.sign('installation')) === true ? secrets : missing();
}
