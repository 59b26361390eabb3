import { type Clock, monthOf } from '../clock.ts';
import { type Id, parseRef } from '../store/ids.ts';
import type { Pool } from '../store/pool.ts';
import { requireAccess } from './access.ts';
import type { Answer } from './answer.ts';
import { type Caller, type OrganizationColumns, organizationOf, type VisitorActor } from './caller.ts';
import { requireEntitlement } from './entitlements.ts';
import { fingerprint } from './idempotency.ts';
import type { License } from './license.ts';
import type { Operation } from './operation.ts';
import { type Fault, refuse } from './refusal.ts';
import type { Road } from './road.ts';
import { badText, bodyCheck } from './validate.ts';

/** An organization as its registration pages show it. */
export interface PublicOrganization extends Pick<Caller, 'org' | 'plan'> {
  language: string;
  accent: string | null;
  logo_id: Id | null;
  imprint_url: string | null;
  privacy_url: string | null;
  embed_origins: string[];
  page_host: string | null;
}

type Row = OrganizationColumns & Omit<PublicOrganization, 'org' | 'plan'>;

/** Finds the organization that an address names by its code or id. Whoever opens a page has no key. */
export async function findOrganization(pool: Pool, ref: string): Promise<PublicOrganization | null> {
  if (ref.length > 100 || ref.includes('\u0000')) return null;
  const { id, code } = parseRef(ref);
  const { rows } = await pool.query<Row>({
    name: 'find_organization',
    text: 'select * from directory.find_organization($1, $2)',
    values: [code, id],
  });
  const row = rows[0];
  if (row === undefined) return null;
  const { language, accent, logo_id, imprint_url, privacy_url, embed_origins, page_host } = row;
  return {
    ...organizationOf(row),
    language,
    accent,
    logo_id,
    imprint_url,
    privacy_url,
    embed_origins,
    page_host,
  };
}

export const visitorOf = ({ org, plan }: PublicOrganization, actor: Omit<VisitorActor, 'kind'>, now: Date): Caller => ({
  actor: { kind: 'visitor', ...actor },
  org,
  plan,
  mode: 'live',
  group: null,
  usage: { month: monthOf(now), calls: 0 },
});

export interface VisitorCall {
  params: Record<string, string>;
  body?: unknown;
  /** The token of the form, which is the same for every time it is sent. */
  key: string;
  requestId: string;
}

/**
 * The road for visitors of the registration pages. A page reads a form instead of JSON and answers with a page; in between are the same
 * steps, in the same order, as on every other mount (route.ts): access, entitlements, license, the schema of the body, and then the work
 * in the lane with idempotency, audit and outbox.
 */
export class Visitors {
  readonly #parts: { road: Road; license: License; clock: Clock };
  readonly #checks = new Map<Operation, (body: unknown) => Fault[]>();
  constructor(parts: { road: Road; license: License; clock: Clock }) {
    this.#parts = parts;
  }

  async perform(operation: Operation, caller: Caller, { params, body, key, requestId }: VisitorCall): Promise<Answer> {
    const { road, license, clock } = this.#parts;
    requireAccess(caller, operation, clock.now());
    if (operation.entitlement !== null) requireEntitlement(caller, operation.entitlement);
    if (operation.method !== 'GET' && operation.whenReadOnly !== 'allowed') await license.requireWritable();
    const sent = Buffer.from(JSON.stringify(body ?? {}));
    const faults = [...badText(sent.toString(), body), ...this.#faults(operation, body ?? {})];
    const call = { operation, caller, params, query: {}, body: body ?? {}, requestId, client: null, file: null };
    if (faults.length > 0) throw await road.refusal(call, faults);
    const claim =
      operation.method === 'POST'
        ? { actor: caller.actor.id ?? refuse('not_found'), key, fingerprint: fingerprint('POST', operation.path, sent) }
        : null;
    return road.perform({ ...call, claim, ifNoneMatch: undefined });
  }

  #faults(operation: Operation, body: unknown): Fault[] {
    if (operation.body === undefined) return [];
    let check = this.#checks.get(operation);
    if (check === undefined) {
      check = bodyCheck(operation.body);
      this.#checks.set(operation, check);
    }
    return check(body);
  }
}
