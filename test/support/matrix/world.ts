import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { type PlanCode, type ReferenceKind, type Role, SCOPES, type Scope } from '@turnout/contract';
import { acrossOrganizationsFind, addMember } from '../../../server/src/areas/access/index.ts';
import { DAY, HOUR, monthOf } from '../../../server/src/clock.ts';
import { type Id, newUlid, toUlid, toUuid } from '../../../server/src/common/ids.ts';
import type { Platform } from '../../../server/src/outside/platforms.ts';
import { PROOF_MS } from '../../../server/src/road/gate/access.ts';
import { hashSecret } from '../../../server/src/road/gate/authenticate.ts';
import { signLicense } from '../../../server/src/road/gate/license.ts';
import type { Operation } from '../../../server/src/road/operation.ts';
import { sql } from '../../../server/src/store/sql.ts';
import { startTest, type TestTurnout } from '../turnout.ts';
import {
  type Api,
  DATE,
  fixtureOf,
  isMade,
  KINDS,
  type Made,
  type Parents,
  type Place,
  type Tools,
} from './fixtures.ts';

import { closeConnections, request } from './http.ts';

/** Plans that lack some entitlement of the API. For each there is an organization of the same name. */
export const SMALL_PLANS = ['free', 'starter', 'growth'] as const satisfies readonly PlanCode[];
export const HOME: Place = { org: 'home', group: null, mode: 'live' };
export const OTHER: Place = { ...HOME, org: 'other' };
/** The group city is below north; south is separate. */
export const CITY: Place = { ...HOME, group: 'home-city' };
export const NORTH: Place = { ...HOME, group: 'home-north' };
export const SOUTH: Place = { ...HOME, group: 'home-south' };
export const TEST: Place = { ...HOME, mode: 'test' };

const FAST: [string, string] = ['api_rate_per_min', '100000'];
const QUOTA = 1000;

export interface SessionWanted {
  /** Limits the member to this group. */
  group?: string;
  /** It has ended. */
  expired?: boolean;
  /** Who somebody is was proved too long ago for operations that need a new proof. */
  stale?: boolean;
}

export interface KeyFaults {
  org?: string;
  scopes?: readonly Scope[];
  /** It has used up its calls of this minute. */
  rate?: boolean;
  address?: boolean;
  expired?: boolean;
  revoked?: boolean;
}

/** A platform with the ticket class that the samples in the schemas name. */
const PLATFORM: Platform = {
  open: () => ({
    account: async () => ({ id: randomUUID(), name: 'Matrix', email: null }),
    events: async () => [],
    event: () => Promise.reject(new Error('not used in these tests')),
    ticketClasses: async () => [{ id: '1234567890', name: 'Adult', sold: 0 }],
    orders: async function* () {},
  }),
};

/** A running server with organizations in every state that the rows need. Objects are made when they are first needed. */
export class World {
  readonly t: TestTurnout;
  /** The same database behind a self-hosted server whose license was revoked more than seven days ago. */
  readonly readOnly: TestTurnout;
  readonly made: { id: string; place: Place }[] = [];
  readonly #kept = new Map<string, Promise<unknown>>();

  private constructor(t: TestTurnout, readOnly: TestTurnout) {
    this.t = t;
    this.readOnly = readOnly;
  }

  /** `more`: further operations, with which a test shows that the matrix finds holes. */
  static async start(more: readonly Operation[] = []): Promise<World> {
    const t = await startTest({ operations: more, eventbrite: PLATFORM });
    try {
      const world = new World(t, await startReadOnly(t, more));
      await world.#furnish();
      return world;
    } catch (error) {
      await t.stop();
      throw error;
    }
  }

  /** Only two organizations and no read-only server, for tests that need objects but not the refusals. */
  static async small(more: readonly Operation[] = [], env: Record<string, string> = {}): Promise<World> {
    const t = await startTest({ operations: more, eventbrite: PLATFORM, env });
    for (const org of ['home', 'other']) {
      await t.org(org);
      await t.plan(org, 'scale', [FAST, ['attendees_per_event', '1000000']]);
    }
    return new World(t, t);
  }

  async stop(): Promise<void> {
    await closeConnections();
    if (this.readOnly !== this.t) await this.readOnly.stop();
    await this.t.stop();
  }

  async #furnish(): Promise<void> {
    const { t } = this;
    for (const org of ['home', 'other', ...SMALL_PLANS, 'spent', 'broke']) {
      await t.org(org);
      await t.plan(org, 'scale', [FAST]);
    }
    for (const org of ['home', 'other']) {
      const api = this.#api({ ...HOME, org });
      await api('POST', '/groups', { code: `${org}-north`, name: 'North' });
      await api('POST', '/groups', { code: `${org}-city`, name: 'City', parent: `${org}-north` });
      await api('POST', '/groups', { code: `${org}-south`, name: 'South' });
    }
    // Made while these organizations still have the API: the objects that a refused call would have reached.
    for (const org of [...SMALL_PLANS, 'spent']) {
      for (const kind of KINDS) {
        for (const use of ['path', 'referred'] as const) await this.standing(kind, { ...HOME, org }, use);
      }
    }
    for (const plan of SMALL_PLANS) await t.plan(plan, plan);
    // spent has used up its calls of the month; broke has, too, and its plan includes nothing.
    await t.plan('spent', 'scale', [['api_calls_monthly', String(QUOTA)]]);
    await t.plan('broke', 'free', [['api_calls_monthly', String(QUOTA)]]);
    // The next month's calls, too: the tests may run over the end of a month.
    const now = t.clock.now();
    const months = [monthOf(now), monthOf(new Date(now.getTime() + DAY))];
    await t.system((tx) =>
      tx.run(sql`
        insert into api_usage (org_id, month, calls)
        select o.id, m.month, ${QUOTA * 1.5} from organizations o, (select distinct unnest(${months}::text[]) as month) m
        where o.code in ('spent', 'broke')
        on conflict (org_id, month) do update set calls = excluded.calls`),
    );
  }

  keep<T>(name: string, make: () => Promise<T>): Promise<T> {
    let kept = this.#kept.get(name);
    if (kept === undefined) {
      kept = make();
      this.#kept.set(name, kept);
    }
    return kept as Promise<T>;
  }

  /** A valid key. */
  key(
    org: string,
    wanted: { mode?: 'live' | 'test'; scopes?: readonly Scope[]; group?: string } = {},
  ): Promise<string> {
    return this.keep(`key ${org} ${JSON.stringify(wanted)}`, async () => (await this.t.key(org, wanted)).secret);
  }

  /** A key that is refused for one or more reasons. */
  faultyKey(faults: KeyFaults): Promise<string> {
    // Used-up calls come back after a minute, so a key without calls is replaced every 20 s.
    const round = faults.rate === true ? Math.floor(Date.now() / 20_000) : '';
    return this.keep(`faulty ${JSON.stringify(faults)} ${round}`, async () => {
      const { org = 'home', scopes = SCOPES, rate, address, expired, revoked } = faults;
      const { id, secret } = await this.t.key(org, { scopes, rpm: rate === true ? 1 : 100_000 });
      if (rate === true) await this.t.call('GET', '/v1/me', { key: secret });
      const past = new Date(this.t.clock.now().getTime() - HOUR);
      await this.t.system((tx) =>
        tx.run(sql`
          update api_keys set
            allowed_addresses = ${address === true ? ['203.0.113.0/24', '2001:db8::/32'] : null}::text[],
            expires_at = ${expired === true ? past : null}::timestamptz,
            revoked_at = ${revoked === true ? past : null}::timestamptz
          where id = ${toUuid(id)}`),
      );
      return secret;
    });
  }

  /** The session of a member; with `expired`, one that has ended. */
  session(org: string, role: string, more: SessionWanted = {}): Promise<string> {
    return this.keep(`session ${org} ${role} ${JSON.stringify(more)}`, () => this.newSession(org, role, more));
  }

  /** As `session`, of a member who is there for one call only. */
  async newSession(org: string, role: string, more: SessionWanted = {}): Promise<string> {
    const token = await this.t.session(org, role);
    const hash = hashSecret(token);
    await this.t.system(async (tx) => {
      // Sessions are shared for longer than a proof holds, so it is dated later; a stale one is as old as a proof can be.
      const proved = new Date(tx.clock.now().getTime() + (more.stale === true ? -PROOF_MS : HOUR));
      await tx.run(sql`update account_sessions set proved_at = ${proved} where hash = ${hash}`);
      if (more.expired === true) {
        await tx.run(sql`update account_sessions set expires_at = ${tx.clock.now()}::timestamptz where hash = ${hash}`);
      }
      if (more.group !== undefined) {
        await tx.run(sql`
            update members m set group_id = g.id from account_sessions s, groups g
            where s.hash = ${hash} and m.account_id = s.account_id and g.org_id = m.org_id
              and g.code = ${more.group}`);
      }
    });
    return token;
  }

  /** A session that worked, of somebody who then was given another role, was removed, or signed out. */
  formerSession(became: Role | 'removed' | 'signed out'): Promise<string> {
    return this.keep(`session ${became}`, async () => {
      const session = await this.newSession('home', 'owner');
      const headers = { cookie: `turnout_session=${session}` };
      const before = await this.t.call('GET', '/app/api/me', { headers });
      if (before.status !== 200) throw new Error(`The session did not work before: ${before.text}`);
      if (became === 'signed out') {
        await this.t.call('POST', '/app/api/-/sign-out', { headers });
        return session;
      }
      const own = sql`account_id = (select account_id from account_sessions where hash = ${hashSecret(session)})`;
      await this.t.system((tx) =>
        tx.run(
          became === 'removed'
            ? sql`delete from members where ${own}`
            : sql`update members set role = ${became} where ${own}`,
        ),
      );
      return session;
    });
  }

  /** The id of an organization. */
  idOf(org: string): Promise<string> {
    return this.keep(`id ${org}`, () =>
      this.t.system(async (tx) => toUlid((await acrossOrganizationsFind(tx, org)).id)),
    );
  }

  /** A member who has no session. */
  async #member(org: string, group: string | null): Promise<Made> {
    const id = await this.t.system(async (tx) => {
      const { id: inside } = await acrossOrganizationsFind(tx, org);
      const email = `${randomUUID()}@example.org`;
      const member = await addMember(tx, inside, { email, role: 'desk' });
      await tx.run(sql`
        update members set group_id = (select g.id from groups g where g.org_id = ${inside} and g.code = ${group})
        where id = ${toUuid(member.id)}`);
      return member.id;
    });
    return { id, code: null };
  }

  async #invitation(org: string, group: string | null): Promise<Made> {
    const reply = await this.t.call('POST', '/app/api/invitations', {
      headers: { cookie: `turnout_session=${await this.session(org, 'owner')}` },
      body: { email: `${randomUUID()}@example.org`, role: 'desk', group, send: false },
    });
    if (reply.status !== 201) throw new Error(`A fixture could not be made: an invitation: ${reply.text}`);
    return { id: reply.body.id, code: null };
  }

  /** The token of a device that is paired with an event. `unlocked`: by a member with a PIN. */
  async device(event: Made, { revoked = false, unlocked = false } = {}): Promise<{ id: string; token: string }> {
    const id = newUlid(this.t.clock.now());
    const token = `svc_device_${id}`;
    await this.t.system(async (tx) => {
      const now = tx.clock.now();
      const paired = await tx.run(sql`
        insert into devices (org_id, id, event_id, name, token_hash, revoked_at, created_at, updated_at)
        select org_id, ${toUuid(id)}, id, 'Gate', ${hashSecret(token)}, ${revoked ? now : null}::timestamptz, ${now}, ${now}
        from events where id = ${toUuid(event.id)}`);
      if (paired !== 1) throw new Error('The event of the device does not exist.');
      if (!unlocked) return;
      const [owner] = await tx.all<{ id: Id }>(sql`
        update members m set pin_hash = 'none fits', pin_set_at = coalesce(m.pin_set_at, ${now}::timestamptz)
        from account_sessions s, devices d
        where d.id = ${toUuid(id)} and m.org_id = d.org_id and m.account_id = s.account_id
          and s.hash = ${hashSecret(await this.session('home', 'owner'))} returning m.id`);
      await tx.run(sql`
        update devices d set unlocked_by = m.id, unlocked_pin_at = m.pin_set_at, unlocked_until = ${new Date(now.getTime() + DAY)}
        from members m where d.id = ${toUuid(id)} and m.org_id = d.org_id and m.id = ${owner!.id}`);
    });
    return { id, token };
  }

  async #connection(org: string): Promise<Made> {
    const id = newUlid(this.t.clock.now());
    const token = this.t.outside.platforms.seal('token');
    await this.t.system(async (tx) => {
      const now = tx.clock.now();
      await tx.run(sql`
        insert into platform_connections (org_id, id, platform, account_id, account_name, token, created_at, updated_at)
        select o.id, ${toUuid(id)}, 'eventbrite', ${id}, 'Matrix', ${token}, ${now}, ${now} from organizations o where o.code = ${org}`);
    });
    return { id, code: null };
  }

  /** One that is proved or, by its name, one that is only claimed. */
  async #tenantHost(org: string, host?: string): Promise<Made> {
    const id = newUlid(this.t.clock.now());
    await this.t.system(async (tx) => {
      const now = tx.clock.now();
      const [at, by] = host === undefined ? [now, 'operator'] : [null, null];
      await tx.run(sql`
        insert into tenant_hosts (org_id, id, host, token, state, proved_at, proved_by, created_at, updated_at)
        select o.id, ${toUuid(id)}, ${host ?? `${id.toLowerCase()}.example`}, 'token',
          ${host === undefined ? 'proved' : 'waiting'}, ${at}::timestamptz, ${by}, ${now}, ${now}
        from organizations o where o.code = ${org} on conflict do nothing`);
    });
    return { id, code: null };
  }

  /** A caller with all rights: a key or, if the plan has no API, an owner in the admin app. */
  #api(place: Place): Api {
    return async <T>(method: string, path: string, body?: unknown): Promise<T> => {
      // Groups are always live objects.
      const mode = path.startsWith('/groups') ? 'live' : place.mode;
      const withKey = place.org === 'home' || place.org === 'other';
      const headers: Record<string, string> = withKey
        ? { authorization: `Bearer ${await this.key(place.org, { mode })}` }
        : { cookie: `turnout_session=${await this.session(place.org, 'owner')}` };
      const reply = await request(this.t.url, method, (withKey ? '/v1' : '/app/api') + path, {
        headers: {
          ...headers,
          ...(method !== 'GET' && { 'idempotency-key': randomUUID(), 'content-type': 'application/json' }),
        },
        body: method === 'GET' ? null : JSON.stringify(body ?? {}),
      });
      if (reply.status >= 300) throw new Error(`A fixture could not be made: ${method} ${path}: ${reply.text}`);
      return reply.body;
    };
  }

  tools(place: Place): Tools {
    // With a key of the event's own mode: a test key cannot change a live event.
    const owner = (event: Made) => this.#api(this.made.find((one) => one.id === event.id)?.place ?? place);
    return {
      api: this.#api(place),
      open: (event) =>
        this.keep(`open ${event.id}`, async () => {
          const api = owner(event);
          const day = await api('POST', `/events/${event.id}/days`, { date: DATE });
          const type = await api('POST', `/events/${event.id}/attendee-types`, { name: 'Adult' });
          await api('POST', `/events/${event.id}/publish`);
          return { day, type };
        }),
      product: (event) =>
        this.keep(`product ${event.id}`, () =>
          owner(event)('POST', `/events/${event.id}/products`, { name: 'Lunch', max: 5 }),
        ),
      device: async (event) => ({ id: (await this.device(event)).id, code: null }),
      connection: () => this.#connection(place.org),
      member: (group) => this.#member(place.org, group),
      tenantHost: (host) => this.#tenantHost(place.org, host),
      invitation: (group) => this.#invitation(place.org, group),
      apiKey: async (group) => ({
        id: (await this.t.key(place.org, { scopes: ['read'], ...(group !== null && { group }) })).id,
        code: null,
      }),
      finish: () => this.t.step.jobs(),
      point: (event) =>
        this.keep(`point ${event.id}`, () =>
          owner(event)('POST', `/events/${event.id}/check-in-points`, { name: 'Gate', kind: 'entry' }),
        ),
    };
  }

  /** Makes a new object, and the objects that it belongs to unless they are among the parents. */
  async make(kind: ReferenceKind, place: Place, parents: Parents = {}, wanted: object = {}): Promise<Made> {
    const fixture = fixtureOf(kind);
    if (!isMade(fixture)) return this.unknown();
    const { inside } = fixture;
    const around =
      inside === null || parents[inside] !== undefined
        ? parents
        : { ...parents, [inside]: await this.make(inside, place) };
    const { id, code } = await fixture.make(this.tools(place), place, around, wanted);
    this.made.push({ id, place });
    return { id, code: fixture.codes ? code : null };
  }

  /** A standing object, for calls that are refused or only read. It belongs to the standing event of the place. */
  standing(kind: ReferenceKind, place: Place, use: 'path' | 'referred' = 'path'): Promise<Made> {
    return this.keep(`standing ${use} ${kind} ${JSON.stringify(place)}`, async () => {
      const fixture = fixtureOf(kind);
      const inside = isMade(fixture) ? fixture.inside : null;
      return this.make(kind, place, inside === null ? {} : { [inside]: await this.standing(inside, place) });
    });
  }

  unknown(): Made {
    return { id: newUlid(this.t.clock.now()), code: null };
  }
}

async function startReadOnly(t: TestTurnout, operations: readonly Operation[]): Promise<TestTurnout> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const now = t.clock.now().getTime();
  const license = {
    id: 'lic-matrix',
    licensee: 'Matrix',
    issued_at: new Date(now - 90 * DAY).toISOString(),
    expires_at: new Date(now + 90 * DAY).toISOString(),
  };
  await t.system((tx) =>
    tx.run(sql`
      update installation set license_id = ${license.id}, license_revoked_at = ${new Date(now - 8 * DAY)}::timestamptz`),
  );
  return startTest({
    database: t.database,
    operations,
    env: {
      EDITION: 'self_hosted',
      LICENSE_KEY: signLicense(license, privateKey),
      LICENSE_PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    },
  });
}
