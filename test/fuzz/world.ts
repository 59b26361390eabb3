import { randomUUID } from 'node:crypto';
import type { ReferenceKind } from '@turnout/contract';
import { type BenchTurnout, call } from '../../bench/turnout.ts';
import { newUlid, toUuid } from '../../server/src/common/ids.ts';
import { hashSecret } from '../../server/src/road/gate/authenticate.ts';
import { sql } from '../../server/src/store/sql.ts';
import { DATE, FIXTURES, fixtureOf, isMade, type Made, type Place, type Tools } from '../support/matrix/fixtures.ts';

/** Ids and codes of real objects, for one kind of reference. */
export interface Pool {
  /** For calls that leave the object as it is. */
  stay: string[];
  /** For calls after which the object cannot be used again: each takes another one. */
  spend: string[];
}
export type Pools = Partial<Record<ReferenceKind, Pool>>;

const PLACE: Place = { org: 'fuzz', group: null, mode: 'live' };
const STAY = 4;
const SPEND = 40;

/** One published event with everything that a path can name, and many objects that calls may cancel, void or delete. */
export async function furnish(turnout: BenchTurnout, key: string): Promise<Pools> {
  const api: Tools['api'] = (method, path, body) => call(turnout.url, key, method, `/v1${path}`, body);
  const opened = new Map<string, Promise<{ day: Made; type: Made }>>();
  const points = new Map<string, Promise<Made>>();
  const products = new Map<string, Promise<Made>>();
  const once = <T>(known: Map<string, Promise<T>>, id: string, make: () => Promise<T>): Promise<T> => {
    if (!known.has(id)) known.set(id, make());
    return known.get(id)!;
  };
  const tools: Tools = {
    api,
    open: (event) =>
      once(opened, event.id, async () => {
        const day = await api('POST', `/events/${event.id}/days`, { date: DATE });
        const type = await api('POST', `/events/${event.id}/attendee-types`, { name: 'Adult' });
        await api('POST', `/events/${event.id}/publish`);
        return { day, type };
      }),
    point: (event) =>
      once(points, event.id, () => api('POST', `/events/${event.id}/check-in-points`, { name: 'Gate', kind: 'entry' })),
    product: (event) => once(products, event.id, () => api('POST', `/events/${event.id}/products`, { name: 'Lunch' })),
    device: (event) => pair(turnout, event),
    // Only members can connect another platform, and the document is for keys.
    connection: () => Promise.reject(new Error('A key cannot connect another platform.')),
    apiKey: () => Promise.reject(new Error('A key cannot make keys.')),
    member: () => Promise.reject(new Error('A key cannot add members.')),
    invitation: () => Promise.reject(new Error('A key cannot invite anybody.')),
    tenantHost: () =>
      Promise.reject(new Error('An organization has at most ten hosts, and here many of each are needed.')),
  };
  const event = await fixtureOfMade('event').make(tools, PLACE, {}, { code: 'fuzz', name: 'The event that is fuzzed' });
  const make = (kind: ReferenceKind) => {
    const fixture = fixtureOfMade(kind);
    return fixture.make(tools, PLACE, fixture.inside === 'event' ? { event } : {}, {});
  };
  const pools: Pools = { event: { stay: [event.id, 'fuzz'], spend: [] } };
  for (let i = 0; i < SPEND; i++) pools.event!.spend.push((await make('event')).id);
  for (const kind of Object.keys(FIXTURES) as ReferenceKind[]) {
    if (
      ['event', 'platform_connection', 'key', 'member', 'invitation', 'tenant_host'].includes(kind) ||
      !isMade(fixtureOf(kind))
    )
      continue;
    const pool: Pool = { stay: [], spend: [] };
    for (let i = 0; i < STAY; i++) {
      const { id, code } = await make(kind);
      pool.stay.push(id, ...(code !== null && fixtureOfMade(kind).codes ? [code] : []));
    }
    for (let i = 0; i < SPEND; i++) pool.spend.push((await make(kind)).id);
    pools[kind] = pool;
  }
  return pools;
}

/** Codes of tickets that can be scanned; strings of other kinds are added. */
export async function ticketCodes(turnout: BenchTurnout, key: string): Promise<string[]> {
  const list = await call<{ data: { code: string }[] }>(turnout.url, key, 'GET', '/v1/events/fuzz/tickets?limit=20');
  return list.data.map((ticket) => ticket.code);
}

function fixtureOfMade(kind: ReferenceKind) {
  const fixture = fixtureOf(kind);
  if (!isMade(fixture)) throw new Error(`Nothing makes a ${kind} yet.`);
  return fixture;
}

/** Only members can make devices, so this one is written to the database directly. */
async function pair(turnout: BenchTurnout, event: Made): Promise<Made> {
  const id = newUlid(new Date());
  await turnout.system(async (tx) => {
    const now = tx.clock.now();
    await tx.run(sql`
      insert into devices (org_id, id, event_id, name, token_hash, created_at, updated_at)
      select org_id, ${toUuid(id)}, id, 'Gate', ${hashSecret(randomUUID())}, ${now}, ${now}
      from events where id = ${toUuid(event.id)}`);
  });
  return { id, code: null };
}
