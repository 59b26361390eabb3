import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fill, INNER, RARE } from '../bench/lists-fill.ts';
import { type Id, newId, toUlid, toUuid } from '../server/src/common/ids.ts';
import { runSql } from './support/database.ts';
import { explain, nodesOf, type PlanNode, READS, recording, type Statement, WRITES } from './support/statements.ts';
import { startTest, type TestTurnout } from './support/turnout.ts';

/**
 * Records the statements that the server sends on its hot paths, then explains each as it was run: in the role `turnout_app`, under
 * row-level security and with the values of the call; once planned for these values and once as the generic plan that PostgreSQL may
 * choose after five runs of a prepared statement. Forbidding sequential scans alone would let a sort of the whole event pass. So
 * reads are also carried out, and none of their steps may meet more rows than a few pages hold.
 *
 * That every list has an index for its order, also a new one, is checked by lists.test.ts, on few rows.
 */

const BIG = ['attendees', 'registrations', 'tickets', 'ticket_people', 'contacts', 'idempotency', 'api_keys'];
BIG.push('audit_log', 'audit_objects', 'webhook_deliveries', 'webhook_attempts', 'webhook_queue', 'payments');
BIG.push('attendee_words', 'contact_words', 'registrant_words');
const DELIVERIES = 8_000;
const ATTENDEES = 20_000;
/** How many rows a step may meet: the largest page with everything that belongs to it. */
const FEW = 1000;
const EVENT = '/v1/events/big';

let t: TestTurnout;
let org: Id;
let event: Id;
let key: string;
let limited: string;
let reader: pg.Client;

beforeAll(async () => {
  t = await startTest();
  // Two organizations of the same size, so that an index that does not begin with the organization is noticed.
  for (const code of ['acme', 'other']) {
    org = await t.org(code);
    await t.plan(code, 'scale', [['api_rate_per_min', '1000000']]);
    key = (await t.key(code)).secret;
    const make = async (path: string, body?: object) => toUuid((await t.call('POST', path, { key, body })).body.id);
    event = await make('/v1/events', { code: 'big', name: 'Big' });
    const days = [await make(`${EVENT}/days`, { code: 'd1', date: '2036-12-01' })];
    const types = [await make(`${EVENT}/attendee-types`, { code: 'adult', name: 'Adult' })];
    await make(`${EVENT}/publish`);
    await fill({ url: t.database.adminUrl, org, event, days, types, attendees: ATTENDEES });
    // A third of the registrations have an attendee of a group; in some of them, all attendees are of it.
    const group = await make('/v1/groups', { code: 'third', name: 'Third' });
    await runSql(
      t.database.adminUrl,
      `update attendees set group_id = $2 where org_id = $1 and (position = 0 or mod(('x' || right(id::text, 2))::bit(8)::int, 2) = 0)
         and mod(('x' || right(registration_id::text, 4))::bit(16)::int, 3) = 0`,
      [org, group],
    );
    await runSql(
      t.database.adminUrl,
      `update contacts c set group_id = a.group_id from attendees a where c.org_id = $1 and a.org_id = c.org_id and a.contact_id = c.id`,
      [org],
    );
    // As if no registrant were one of the attendees.
    await runSql(
      t.database.adminUrl,
      `insert into registrant_words (org_id, event_id, word, registration_id)
         select org_id, event_id, 'zz' || code, id from registrations where org_id = $1`,
      [org],
    );
    limited = (await t.key(code, { group: 'third' })).secret;
    // Everybody has paid in cash, but for one payment by card, which failed. One registration owes something, one is in credit.
    await runSql(
      t.database.adminUrl,
      `insert into payments (org_id, id, event_id, registration_id, amount_minor, currency, method, status, test, created_at, updated_at)
         select org_id, gen_random_uuid(), event_id, id, 100, 'EUR', 'cash', 'received', false, created_at, updated_at
         from registrations where org_id = $1`,
      [org],
    );
    const rare = `(select registration_id from payments where org_id = $1 order by updated_at desc, id desc`;
    await runSql(
      t.database.adminUrl,
      `update payments set method = 'card', status = 'failed' where org_id = $1 and registration_id = ${rare} limit 1)`,
      [org],
    );
    for (const [n, field] of ['total_minor', 'paid_minor'].entries()) {
      await runSql(
        t.database.adminUrl,
        `update registrations set status = 'confirmed', ${field} = 1 where org_id = $1 and id = ${rare} offset ${n} limit 1)`,
        [org],
      );
    }
    await runSql(
      t.database.adminUrl,
      `insert into idempotency select $1, actor, 'key-' || n, sha256(n::text::bytea), 'request', 201, '{}', false, $2
         from (select id as actor from api_keys where org_id = $1 limit 1) k, generate_series(1, ${ATTENDEES}) n`,
      [org, t.clock.now()],
    );
    await runSql(
      t.database.adminUrl,
      `insert into api_keys (org_id, id, name, mode, scopes, hash, last4, created_at)
         select $1, gen_random_uuid(), 'k', 'live', '{read}', sha256(($1::uuid::text || n)::bytea), '0000', $2 from generate_series(1, ${ATTENDEES}) n`,
      [org, t.clock.now()],
    );
    await audited();
    await deliveries('delivered', 'delivered');
    await deliveries('pending', 'pending');
  }
  await runSql(t.database.adminUrl, 'analyze');
  reader = new pg.Client({ connectionString: t.database.url });
  await reader.connect();
});
afterAll(async () => {
  await reader?.end();
  await t.stop();
});

/** The only row of its action, by an actor who did nothing else; then many scans by one device; then a row for each registration. */
const RARELY = toUlid(newId(new Date()));
async function audited(): Promise<void> {
  await runSql(
    t.database.adminUrl,
    `insert into audit_log (org_id, id, at, action, actor_kind, actor_id, actor_name, source, object_kind, object_id, event_id, changes)
       select $1::uuid, uuidv7(interval '-1 hour'), $3::timestamptz, 'event.moved', 'key', $4::uuid, 'rare', 'api', 'event', $2::uuid, $2::uuid, null::jsonb
       union all
       select $1::uuid, uuidv7(make_interval(secs => n / 10.0 - 3000)), $3::timestamptz, 'checkin.recorded', 'device', $2::uuid, 'gate', 'scanner', 'checkin', gen_random_uuid(), $2::uuid,
         '{"details": {"result": "accepted"}}' from generate_series(1, ${ATTENDEES}) n
       union all
       select $1::uuid, uuidv7(interval '-55 minutes'), $3::timestamptz, 'registration.created', 'key', $2::uuid, 'office', 'api', 'registration', a.registration_id, $2::uuid,
         jsonb_build_object('objects', jsonb_build_array(jsonb_build_object('kind', 'attendee', 'id', $5::text)))
         from attendees a where a.org_id = $1 and a.position = 0`,
    [org, event, t.clock.now(), toUuid(RARELY), RARELY],
  );
  await runSql(
    t.database.adminUrl,
    'insert into audit_objects select org_id, gen_random_uuid(), id from audit_log where org_id = $1',
    [org],
  );
}

/** Makes an endpoint with many deliveries, all in one state. */
async function deliveries(state: 'delivered' | 'pending', code: string): Promise<void> {
  const body = { url: `https://example.org/${code}`, events: ['*'] };
  endpoints[code] = (await t.call('POST', '/v1/webhooks', { key, body })).body.id;
  const values = [org, toUuid(endpoints[code]!), t.clock.now()];
  await runSql(
    t.database.adminUrl,
    `with made as (
       insert into webhook_deliveries (org_id, id, endpoint_id, envelope_id, type, livemode, origin_at, created_at)
       select $1, gen_random_uuid(), $2, gen_random_uuid(), 'ticket.issued', true, $3, $3 from generate_series(1, ${DELIVERIES})
       returning id, envelope_id)
     ${
       state === 'pending'
         ? `insert into webhook_queue (org_id, endpoint_id, delivery_id, envelope_id, test_event, attempts, due_at)
            select $1, $2, id, envelope_id, false, 0, $3 from made`
         : `insert into webhook_attempts (org_id, endpoint_id, delivery_id, number, at, duration_ms, status_code)
            select $1, $2, id, 1, $3, 5, 200 from made`
     }`,
    values,
  );
}
const endpoints: Record<string, string> = {};

const PLANS = ['force_custom_plan', 'force_generic_plan'] as const;
type Plan = (typeof PLANS)[number];

/** The plans of a statement; for a read, with the rows that each step met. `before` is undone. */
async function plansOf(statement: Statement, before = 'select', kinds: readonly Plan[] = PLANS): Promise<PlanNode[]> {
  const plans: PlanNode[] = [];
  for (const mode of kinds) {
    plans.push(await explain(reader, org, statement, { mode, before, analyze: READS.test(statement.text) }));
  }
  return plans;
}

/** The steps of a plan that read a big table from end to end, or more than a few rows of one. */
const faultsOf = (plans: readonly PlanNode[]): string[] =>
  plans.flatMap(nodesOf).flatMap((node) => {
    const relation = node['Relation Name'] ?? '';
    const each = ['Actual Rows', 'Rows Removed by Filter', 'Rows Removed by Index Recheck'] as const;
    const met = each.reduce((sum, part) => sum + (node[part] ?? 0), 0) * (node['Actual Loops'] ?? 1);
    if (node['Node Type'] === 'Seq Scan' && BIG.includes(relation)) return [`Seq Scan on ${relation}`];
    return met > FEW ? [`${node['Node Type']} ${relation} meets ${met} rows`] : [];
  });

const OF_BIG = new RegExp(`\\b(${BIG.join('|')})\\b`);

/** The statements on big tables that a call sends. */
async function sentBy(call: () => Promise<{ status: number }>, status: number): Promise<Statement[]> {
  const sent = await recording(async () => expect((await call()).status).toBe(status));
  return sent.filter(({ text }) => (READS.test(text) || WRITES.test(text)) && OF_BIG.test(text));
}

async function expectIndexes(
  call: () => Promise<{ status: number }>,
  status = 200,
  kinds: readonly Plan[] = PLANS,
): Promise<void> {
  const sent = await sentBy(call, status);
  expect(sent.length).toBeGreaterThan(0);
  for (const one of sent) expect(faultsOf(await plansOf(one, undefined, kinds)), one.text).toEqual([]);
}

const get = (path: string) => t.call('GET', path, { key });
const person = () =>
  runSql(
    t.database.adminUrl,
    `select a.email, r.code, t.code as ticket, a.updated_at
  from attendees a join registrations r on r.id = a.registration_id and r.org_id = a.org_id
  join ticket_people p on p.attendee_id = a.id and p.org_id = a.org_id join tickets t on t.id = p.ticket_id and t.org_id = p.org_id
  where a.org_id = $1 and a.position = 0 and r.status = 'confirmed' order by a.updated_at offset ${ATTENDEES / 10} limit 1`,
    [org],
  );

describe('the guard fails', () => {
  test('where a list has no index of its order', async () => {
    const [list] = await sentBy(() => get(`${EVENT}/attendees`), 200);
    expect(faultsOf(await plansOf(list!))).toEqual([]);
    expect(faultsOf(await plansOf(list!, 'drop index attendees_changed')).length).toBeGreaterThan(0);
  });

  test('where a table is read from end to end', async () => {
    const [list] = await sentBy(() => get(`${EVENT}/attendees`), 200);
    const off = ['indexscan', 'indexonlyscan', 'bitmapscan'].map((kind) => `set local enable_${kind} = off`).join(';');
    expect(faultsOf(await plansOf(list!, off))).toContain('Seq Scan on attendees');
  });
});

describe('no sequential scan on a big table', () => {
  const second = async (path: string) => {
    const { next_cursor } = (await get(path)).body.page;
    expect(next_cursor).not.toBeNull();
    return `${path}&cursor=${next_cursor}`;
  };
  for (const path of [`${EVENT}/attendees`, `${EVENT}/registrations`, `${EVENT}/tickets`, '/v1/contacts']) {
    test(`${path}: first page, next page, since`, async () => {
      await expectIndexes(() => get(`${path}?limit=50`));
      const next = await second(`${path}?limit=200`);
      await expectIndexes(() => get(next));
      const [{ updated_at }] = (await person()) as [{ updated_at: Date }];
      const since = `${path}?limit=50&updated_since=${updated_at.toISOString()}`;
      await expectIndexes(() => get(since));
      const later = await second(since);
      await expectIndexes(() => get(later));
    });
  }

  describe('to a key limited to a group', () => {
    const read = (path: string) => t.call('GET', path, { key: limited });
    for (const path of [`${EVENT}/attendees`, `${EVENT}/registrations`, `${EVENT}/tickets`, '/v1/contacts']) {
      test(`${path}: first page, next page`, async () => {
        await expectIndexes(() => read(`${path}?limit=50`));
        const { data, page } = (await read(`${path}?limit=50`)).body;
        expect(data).toHaveLength(50);
        await expectIndexes(() => read(`${path}?limit=50&cursor=${page.next_cursor}`));
      });
    }
    test('single registrations, people and tickets', async () => {
      const [registration] = (await read(`${EVENT}/registrations?limit=1`)).body.data;
      const [attendee] = registration.attendees;
      const [ticket] = (await read(`${EVENT}/tickets?limit=1`)).body.data;
      await expectIndexes(() => read(`${EVENT}/registrations/${registration.code}`));
      await expectIndexes(() => read(`${EVENT}/attendees/${attendee.id}`));
      await expectIndexes(() => read(`/v1/tickets/${ticket.id}`));
      await expectIndexes(() => read(`${EVENT}/attendees?search=${encodeURIComponent('Anna Müller')}`));
      await expectIndexes(() =>
        read(`${EVENT}/registrations?email=${encodeURIComponent(attendee.email ?? 'nobody@example.org')}`),
      );
    });
  });

  test('search of attendees: name, e-mail, registration code, ticket code', async () => {
    const [{ email, code, ticket }] = (await person()) as [{ email: string; code: string; ticket: string }];
    for (const text of ['m', 'müller', 'Anna Müller', RARE.last_name, email.slice(0, 8), email, code, ticket]) {
      await expectIndexes(() => get(`${EVENT}/attendees?search=${encodeURIComponent(text)}`));
    }
    const next = await second(`${EVENT}/attendees?search=m`);
    await expectIndexes(() => get(next));
  });

  test('any word of a name, with a filter and for a key limited to a group', async () => {
    for (const text of [
      INNER.word,
      'ann mül',
      `müller ${RARE.last_name}`,
      `müller ${INNER.word}`,
      'müller&status=declined',
    ]) {
      const asked = `search=${encodeURIComponent(text).replace('%26status%3D', '&status=')}`;
      for (const as of [key, limited]) {
        const read = (path: string) => expectIndexes(() => t.call('GET', path, { key: as }));
        await read(`${EVENT}/attendees?${asked}`);
        await read(`${EVENT}/registrations?${asked}`);
        if (!asked.includes('status')) await read(`/v1/contacts?${asked}`);
      }
    }
  });

  test('lists in another order', async () => {
    for (const path of [`${EVENT}/attendees`, `${EVENT}/registrations`, '/v1/contacts']) {
      for (const order of ['newest', 'name']) {
        await expectIndexes(() => get(`${path}?order=${order}&limit=50`));
        const next = await second(`${path}?order=${order}&limit=50`);
        await expectIndexes(() => get(next));
      }
    }
    await expectIndexes(() => get(`${EVENT}/tickets?order=newest&limit=50`));
  });

  test('attendees by ID and phone, counts of the event', async () => {
    await expectIndexes(() => get(`${EVENT}/attendees?external_id=7`));
    await expectIndexes(() => get(`${EVENT}/attendees?phone=7`));
    for (const path of [`${EVENT}/availability`, `${EVENT}/summary`, '/v1/overview']) {
      const sent = await sentBy(() => get(path), 200);
      for (const one of sent) expect(faultsOf(await plansOf(one)), one.text).toEqual([]);
    }
  });

  test('what happened lately at an event: for everybody, and for a caller limited to a group', async () => {
    for (const as of [key, limited]) {
      const read = () => t.call('GET', `${EVENT}/activity?limit=50`, { key: as });
      expect((await read()).body.data.length).toBeGreaterThan(0);
      await expectIndexes(read);
    }
  });

  test('search of contacts, registrations and tickets', async () => {
    const [{ email, code, ticket }] = (await person()) as [{ email: string; code: string; ticket: string }];
    for (const text of ['m', 'Anna Müller', RARE.last_name, email]) {
      await expectIndexes(() => get(`/v1/contacts?search=${encodeURIComponent(text)}`));
    }
    await expectIndexes(() => get(`${EVENT}/registrations?email=${encodeURIComponent(email)}`));
    await expectIndexes(() => get(`${EVENT}/registrations?code=${code}`));
    await expectIndexes(() => get(`${EVENT}/tickets?code=${ticket}`));
    await expectIndexes(() => get(`${EVENT}/registrations/${code}`));
  });

  test('what is due or in credit: one of many', async () => {
    for (const balance of ['due', 'credit']) {
      const path = `${EVENT}/registrations?balance=${balance}`;
      expect((await get(path)).body.data).toHaveLength(1);
      await expectIndexes(() => get(path));
      await expectIndexes(() => t.call('GET', path, { key: limited }));
    }
  });

  test('payments of an event: pages, the one that failed, the one by card, an hour, a registration', async () => {
    const path = `${EVENT}/payments`;
    await expectIndexes(() => get(`${path}?limit=50`));
    const next = await second(`${path}?limit=200`);
    await expectIndexes(() => get(next));
    const [{ id, registration_id, created_at }] = (await get(`${path}?limit=1`)).body.data;
    await expectIndexes(() => get(`/v1/payments/${id}`));
    for (const query of ['status=failed', 'method=card', 'status=failed&method=card']) {
      expect((await get(`${path}?${query}`)).body.data).toHaveLength(1);
      await expectIndexes(() => get(`${path}?${query}`));
    }
    await expectIndexes(() => get(`${path}?registration=${registration_id}`));
    // Statements with filters are not prepared, so each is planned for its values. Only then is the index by time used, if few rows fit.
    for (const query of [`to=${created_at}`, `from=${created_at}`, `from=${created_at}&to=${created_at}`]) {
      await expectIndexes(() => get(`${path}?${query}`), 200, ['force_custom_plan']);
    }
    await expectIndexes(() => t.call('GET', `${path}?limit=50`, { key: limited }));
  });

  test('registering: idempotency, contacts, places and what is written', async () => {
    const body = {
      attendees: [{ attendee_type: 'adult', first_name: 'Ada', last_name: 'New', email: 'ada@example.org' }],
    };
    await expectIndexes(() => t.call('POST', `${EVENT}/registrations`, { key, body }), 201);
  });

  test('cancelling', async () => {
    const [{ code }] = (await person()) as [{ code: string }];
    await expectIndexes(() => t.call('POST', `${EVENT}/registrations/${code}/cancel`, { key, body: {} }));
  });

  test('deliveries of an endpoint, by every state, many or none of them', async () => {
    for (const [code, id] of Object.entries(endpoints)) {
      const path = `/v1/webhooks/${id}/deliveries`;
      await expectIndexes(() => get(`${path}?limit=50`));
      for (const status of ['pending', 'failed', 'delivered', 'dead']) {
        expect((await get(`${path}?status=${status}`)).body.data).toHaveLength(status === code ? 50 : 0);
        await expectIndexes(() => get(`${path}?limit=50&status=${status}`));
      }
      const next = await second(`${path}?limit=50&status=${code}`);
      await expectIndexes(() => get(next));
      const [one] = (await get(path)).body.data;
      await expectIndexes(() => get(`/v1/webhooks/deliveries/${one.id}`));
    }
  });

  test('the audit log: by actor, action, object and time, newest first', async () => {
    const [one] = (await get(`${EVENT}/registrations?limit=1`)).body.data;
    const hour = new Date(t.clock.now().getTime() - 45 * 60_000).toISOString();
    const wanted = [
      '',
      `actor=${RARELY}`,
      `actor=${toUlid(event)}`,
      'action=event.moved',
      'action=checkin.recorded',
      'action=registration.created',
      `object=${one.id}`,
      `object=${one.attendees[0].id}`,
      `object=${RARELY}`,
      `from=${hour}`,
      `to=${hour}`,
      `event=big&actor=${toUlid(event)}&action=registration.created&to=${t.clock.now().toISOString()}`,
    ];
    for (const query of wanted) await expectIndexes(() => get(`/v1/audit-log?limit=50&${query}`));
    expect((await get(`/v1/audit-log?actor=${RARELY}`)).body.data).toHaveLength(1);
    expect((await get(`/v1/audit-log?action=event.moved`)).body.data).toHaveLength(1);
    const next = await second(`/v1/audit-log?limit=50&actor=${toUlid(event)}`);
    await expectIndexes(() => get(next));
  });

  test('the lookup of a key', async () => {
    const [{ source }] = (await runSql(
      t.database.adminUrl,
      `select prosrc as source from pg_proc where oid = 'directory.find_keys'::regproc`,
    )) as [{ source: string }];
    const text = /return query\s+(select[^;]*);/
      .exec(source)![1]!
      .replaceAll(/\bhashes\b/g, '$1::bytea[]')
      .replaceAll(/\bof_month\b/g, '$2::text');
    const hashes = (await runSql(t.database.adminUrl, 'select hash from api_keys limit 1')).map((row) => row.hash);
    expect(text).toContain('from api_keys k');
    expect(faultsOf(await plansOf({ text, values: [hashes, '2026-11'] }))).toEqual([]);
  });
});
