import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EventbriteDouble } from '../../../../test/support/eventbrite-double.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { sql } from '../../store/sql.ts';
import { deletePeople } from '../events/index.ts';
import { impatient, mapAll, Organizer } from './platform.support.ts';

let t: TestTurnout;
let double: EventbriteDouble;
let acme: Organizer;
let connection: string;
let serial = 0;
const nextCode = () => `fair-${++serial}`;

beforeAll(async () => {
  double = await EventbriteDouble.start();
  t = await startTest({ eventbrite: impatient(double) });
  await t.org('acme');
  acme = await Organizer.of(t, 'acme');
  connection = await acme.connect(double);
});
afterAll(async () => {
  expect(double.changes).toBe(0); // no test may change anything on the platform
  await t.stop();
  await double.stop();
});
beforeEach(() => {
  double.troubles = [];
  double.expansionFails = false;
  double.afterEach = () => {};
  double.restore();
});

const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' };
const kit = { first_name: 'Kit', last_name: 'Lovelace', email: 'kit@example.org' };
/** The mails of an organization. */
const mails = (org: string) =>
  t.system((tx) =>
    tx.all<{ recipient: string }>(sql`
      select m.recipient from mails m join organizations o on o.id = m.org_id where o.code = ${org} order by m.recipient`),
  );

describe('connecting', () => {
  test('the token is tried out, stored encrypted, and shown nowhere', async () => {
    const reply = await acme.app('POST', '/platform-connections', { platform: 'eventbrite', token: double.token });
    expect(reply.body).toEqual({
      id: connection,
      platform: 'eventbrite',
      account: { name: 'Olga Owner', email: 'owner@example.org' },
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect((await acme.app('GET', '/platform-connections')).body).toEqual({ data: [reply.body] });
    const rows = await t.system((tx) =>
      tx.all<{ row: string }>(sql`
        select c::text as row from platform_connections c union all select a::text from audit_log a
        union all select i::text from idempotency i union all select convert_from(i.body, 'UTF8') from idempotency i where not i.encrypted`),
    );
    expect(rows.length).toBeGreaterThan(2);
    const hex = Buffer.from(double.token).toString('hex');
    for (const { row } of rows) for (const shown of [double.token, hex]) expect(row).not.toContain(shown);
  });

  test('a token that the platform does not know is refused', async () => {
    const reply = await acme.app('POST', '/platform-connections', { platform: 'eventbrite', token: 'NOBODYS' });
    expect(reply.body.error).toMatchObject({
      code: 'validation_failed',
      details: [{ path: 'token', message: expect.stringContaining('does not accept this token') }],
    });
    expect(reply.text).not.toContain('NOBODYS');
  });

  test('a platform that does not answer is 503', async () => {
    double.troubles = ['cut', 'cut'];
    const reply = await acme.app('POST', '/platform-connections', { platform: 'eventbrite', token: double.token });
    expect([reply.status, reply.body.error.code]).toEqual([503, 'unavailable']);
  });

  test('connecting the same account again replaces the token; disconnecting deletes it', async () => {
    const beta = await organizationOf('beta');
    const id = await beta.connect(double);
    expect(await beta.connect(double)).toBe(id);
    expect((await beta.app('DELETE', `/platform-connections/${id}`)).status).toBe(204);
    expect((await beta.app('GET', '/platform-connections')).body).toEqual({ data: [] });
    const event = double.addEvent('Gone', ['Adult']);
    const reply = await beta.app('POST', `/events/${await beta.event('gone')}/platform-imports`, mapAll(event, id));
    expect(reply.body.error.details).toEqual([{ path: 'connection', message: `no such platform connection: ${id}` }]);
  });
});

const organizationOf = async (code: string): Promise<Organizer> => {
  await t.org(code);
  return Organizer.of(t, code);
};

describe('choosing and mapping', () => {
  // claim: platform-import-flow
  test('the events and ticket classes that the account has', async () => {
    const source = double.addEvent('Spring Fair', ['Adult', 'Child']);
    const events = await acme.app('POST', `/platform-connections/${connection}/events`);
    expect(events.body.data).toContainEqual({
      id: source.id,
      name: 'Spring Fair',
      starts_at: '2026-12-01T09:00:00Z',
      currency: 'EUR',
      status: 'live',
    });
    const path = `/platform-connections/${connection}/ticket-classes`;
    const classes = await acme.app('POST', path, { source_event: source.id });
    expect(classes.body.data).toEqual(source.ticket_classes.map(({ id, name }) => ({ id, name, sold: 0 })));
    expect((await acme.app('POST', path, { source_event: '1' })).body.error.details).toEqual([
      { path: 'source_event', message: expect.stringContaining('no such event') },
    ]);
  });

  // claim: platform-import-flow
  test('400 unless every ticket class is mapped or left out; all faults are reported at once', async () => {
    const code = await acme.event(nextCode());
    await acme.make(`/events/${code}/days`, { code: 'sun', date: '2055-05-02' });
    const source = double.addEvent('Spring Fair', ['Adult', 'Child', 'Dog, "small"']);
    const [adult, child, dog] = source.ticket_classes.map((one) => one.id);
    const faults = async (...mapping: object[]) => {
      const body = { connection, source_event: source.id, mapping };
      const reply = await acme.app('POST', `/events/${code}/platform-imports`, body);
      expect(reply.status).toBe(400);
      return reply.body.error.details;
    };
    const day = { attendee_type: 'adult', days: ['sat'] };
    expect(await faults({ ticket_class: adult, ...day })).toEqual([
      { path: 'mapping', message: `lacks the ticket class ${child} (Child)` },
      { path: 'mapping', message: `lacks the ticket class ${dog} (Dog, "small")` },
    ]);
    const rest = [
      { ticket_class: child, attendee_type: null },
      { ticket_class: dog, attendee_type: null },
    ];
    expect(await faults({ ticket_class: adult, ...day }, ...rest, { ticket_class: '7', ...day })).toEqual([
      { path: 'mapping/3/ticket_class', message: 'no such ticket class: 7' },
    ]);
    expect(
      await faults(
        { ticket_class: adult, attendee_type: 'adult' },
        { ticket_class: child, attendee_type: 'pony' },
        { ticket_class: dog, attendee_type: 'adult', days: ['fri'] },
        { ticket_class: dog, attendee_type: null, days: ['sat'] },
      ),
    ).toEqual([
      { path: 'mapping/0/days', message: 'is required; choose from: sat, sun' },
      { path: 'mapping/1/attendee_type', message: 'no such attendee type: pony' },
      { path: 'mapping/2/days/0', message: 'no such day: fri' },
      { path: 'mapping/3/ticket_class', message: 'is mapped twice' },
      { path: 'mapping/3/days', message: 'must be left out, because attendee_type is null and nobody is imported' },
    ]);
  });

  test('attendees get the days of the mapping', async () => {
    const code = await acme.event(nextCode());
    await acme.make(`/events/${code}/days`, { code: 'sun', date: '2055-05-02' });
    const source = double.addEvent('Spring Fair', ['Adult']);
    double.addOrder(source, [{ ticket_class: 'Adult', ...ada }]);
    const [line] = mapAll(source, connection).mapping;
    const job = await acme.run(code, { ...mapAll(source, connection), mapping: [{ ...line, days: ['sun'] }] });
    expect(job.status).toBe('succeeded');
    expect((await acme.all(`/events/${code}/attendees`))[0].days).toEqual(['sun']);
  });
});

describe('importing', () => {
  // claim: platform-import-orders, platform-import-reads, platform-import-silent, platform-import-skips
  test('each order becomes a registration, each attendee gets a ticket, and no mail is sent', async () => {
    const silent = await organizationOf('silent');
    const mine = await silent.connect(double);
    const code = await silent.event(nextCode(), {
      registration: { approval: true, unique_email: true, max_people: 1 },
    });
    await silent.make(`/events/${code}/questions`, { code: 'diet', label: 'Diet', kind: 'choice', options: ['Vegan'] });
    const source = double.addEvent('Fair', ['Adult', 'Child', 'Press']);
    double.addOrder(
      source,
      [
        {
          ticket_class: 'Adult',
          ...ada,
          cell_phone: '+49 30 901820',
          birth_date: '1990-12-10',
          answers: { Company: 'Engines Ltd', ' diet': 'vegan' },
          gross: 1250,
        },
        { ticket_class: 'Child', answers: { Diet: 'Cake only' }, gross: 500 },
        { ticket_class: 'Adult', first_name: 'Gone', last_name: 'Away', cancelled: true },
        { ticket_class: 'Press', first_name: 'Clark', last_name: 'Kent' },
      ],
      { first_name: 'Bea', last_name: 'Buyer', email: 'bea@example.org' },
    );
    double.addOrder(source, [{ ticket_class: 'Adult', first_name: 'No', last_name: 'Show', refunded: true }]);
    const free = double.addOrder(source, [{ ticket_class: 'Child', ...kit, email: 'not an address' }], {
      email: 'x@example.org',
    });
    const mapping = mapAll(source, mine).mapping.map((line) =>
      line.attendee_type === 'press' ? { ...line, attendee_type: null } : line,
    );
    const job = await silent.run(code, { connection: mine, source_event: source.id, mapping });
    expect(job).toMatchObject({
      kind: 'platform_import',
      status: 'succeeded',
      progress: { done: 3, total: 3 },
      counts: { created: 3, existing: 0, skipped: 3, rejected: 0 },
      rejects_url: null,
    });

    const [first, second, ...others] = await silent.all(`/events/${code}/registrations`);
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      source: 'platform',
      status: 'confirmed',
      test: false,
      contact: { first_name: 'Bea', last_name: 'Buyer', email: 'bea@example.org' },
      total_minor: 1750,
      paid_minor: 1750,
    });
    expect(first.attendees).toMatchObject([
      {
        ...ada,
        attendee_type: 'adult',
        days: ['sat'],
        phone: '+49 30 901820',
        date_of_birth: '1990-12-10',
        answers: { Company: 'Engines Ltd', diet: 'Vegan' },
        price_minor: 1250,
        status: 'confirmed',
        tickets: [{ status: 'valid' }],
      },
      {
        first_name: 'Bea',
        last_name: 'Buyer',
        email: 'bea@example.org',
        attendee_type: 'child',
        answers: { 'Diet (as given)': 'Cake only' },
        price_minor: 500,
        tickets: [{ status: 'valid' }],
      },
    ]);
    const { data: payments } = await silent.get(`/events/${code}/registrations/${first.id}/payments`);
    expect(payments).toMatchObject([
      {
        amount_minor: 1750,
        method: 'other',
        reference: `eventbrite order ${double.orders.at(-3)!.id}`,
        status: 'received',
      },
    ]);
    expect(second).toMatchObject({ total_minor: 0, paid_minor: 0 });
    expect(second.attendees).toMatchObject([{ ...kit, email: 'x@example.org' }]);
    expect(second.contact.last_name).toBe(free.last_name);
    expect(await mails('silent')).toEqual([]);
    const log = await silent.get('/audit-log?limit=5');
    expect(log.data).toContainEqual(
      expect.objectContaining({
        action: 'registration.created',
        actor: expect.objectContaining({ kind: 'member' }),
        source: 'app',
      }),
    );
  });

  test('amounts paid in another currency do not count', async () => {
    const code = await acme.event(nextCode());
    const source = double.addEvent('Fair', ['Adult'], { currency: 'USD' });
    double.addOrder(source, [{ ticket_class: 'Adult', ...ada, gross: 1250 }]);
    expect((await acme.run(code, mapAll(source, connection))).counts.created).toBe(1);
    const [registration] = await acme.all(`/events/${code}/registrations`);
    expect(registration).toMatchObject({ status: 'confirmed', total_minor: 0, paid_minor: 0, currency: 'EUR' });
  });

  // claim: platform-import-silent
  test('with mails, if asked for: a confirmation to the buyer and a ticket to each other address', async () => {
    const telling = await organizationOf('telling');
    const mine = await telling.connect(double);
    const code = await telling.event(nextCode());
    const source = double.addEvent('Fair', ['Adult', 'Child']);
    const people = [{ ticket_class: 'Adult', ...ada }, { ticket_class: 'Child', ...kit }, { ticket_class: 'Child' }];
    double.addOrder(source, people, { email: 'bea@example.org' });
    const wanted = { ...mapAll(source, mine), send_emails: true };
    await telling.run(code, wanted);
    const told = ['ada@example.org', 'bea@example.org', 'kit@example.org'];
    expect((await mails('telling')).map((mail) => mail.recipient)).toEqual(told);
    await telling.run(code, wanted);
    expect(await mails('telling')).toHaveLength(3);
  });

  test('names of one word, in one field, missing but for the buyer’s, or missing entirely', async () => {
    const code = await acme.event(nextCode());
    const source = double.addEvent('Fair', ['Adult']);
    const adult = { ticket_class: 'Adult' };
    double.addOrder(source, [{ ...adult, name: 'Cher' }, { ...adult, name: 'Jean Luc Picard' }, adult], {
      first_name: 'Bea',
      last_name: 'Buyer',
    });
    double.addOrder(source, [adult], { first_name: '', last_name: '', email: null });
    // A very long name is cut, but not in the middle of a letter.
    const endless = { first_name: 'x'.repeat(199) + '😀'.repeat(50), last_name: 'half \ud83d', email: 'a@example.org' };
    double.addOrder(source, [{ ...adult, ...endless, answers: { [`${'q'.repeat(199)}😀`]: 'x' } }]);
    const job = await acme.run(code, mapAll(source, connection));
    expect(job.counts).toEqual({ created: 4, existing: 0, skipped: 0, rejected: 1 });
    const people = await acme.all(`/events/${code}/attendees`);
    expect(people.map((one) => [one.first_name, one.last_name])).toEqual([
      ['Cher', ''],
      ['Jean Luc', 'Picard'],
      ['Bea', 'Buyer'],
      [`${'x'.repeat(199)}\ufffd`, 'half \ufffd'],
    ]);
    expect(await acme.rejects(job)).toEqual([
      `"${double.orders.at(-2)!.id}","${double.attendees.at(-2)!.id}",,,,"Adult","name_required: Neither the attendee nor the buyer has a name."`,
    ]);
  });

  test('attendees are read separately if orders cannot be expanded', async () => {
    const code = await acme.event(nextCode());
    const source = double.addEvent('Fair', ['Adult', 'Child']);
    double.addOrder(source, [
      { ticket_class: 'Adult', ...ada },
      { ticket_class: 'Child', ...kit },
    ]);
    double.expansionFails = true;
    expect((await acme.run(code, mapAll(source, connection))).counts.created).toBe(2);
    expect(await acme.all(`/events/${code}/registrations`)).toHaveLength(1);
  });
});

describe('capacity and the plan’s cap', () => {
  const crowd = (sizes: number[]) => {
    const source = double.addEvent('Fair', ['Adult', 'Child']);
    const orders = sizes.map((size) =>
      double.addOrder(source, Array(size).fill({ ticket_class: 'Adult', first_name: 'Ada', last_name: 'L' })),
    );
    return { source, orders };
  };

  test('an order is imported completely or rejected with the reason', async () => {
    const code = await acme.event(nextCode(), { capacity: 4, registration: { waitlist: true } });
    const { source, orders } = crowd([3, 2, 1, 1]);
    const job = await acme.run(code, mapAll(source, connection));
    expect(job).toMatchObject({ status: 'succeeded', counts: { created: 4, existing: 0, skipped: 0, rejected: 3 } });
    expect(await acme.all(`/events/${code}/attendees`)).toHaveLength(4);
    const left = (await acme.rejects(job)).map((line) => line.replaceAll('"', '').split(','));
    expect(left.map((cells) => [cells[0], cells.at(-1)])).toEqual([
      [orders[1]!.id, 'event_full: The event has 1 place left.'],
      [orders[1]!.id, 'event_full: The event has 1 place left.'],
      [orders[3]!.id, 'event_full: The event is full.'],
    ]);
    // With more room the same import adds them.
    await t.call('PATCH', `/v1/events/${code}`, { key: acme.key, body: { capacity: 10 } });
    expect((await acme.run(code, mapAll(source, connection))).counts).toEqual({
      created: 3,
      existing: 4,
      skipped: 0,
      rejected: 0,
    });
  });

  test('the plan’s cap', async () => {
    const gamma = await organizationOf('gamma');
    const code = await gamma.event(nextCode());
    await t.plan('gamma', 'starter', [['attendees_per_event', '2']]);
    const mine = await gamma.connect(double);
    const { source } = crowd([1, 1, 1]);
    const id = await gamma.start(code, mapAll(source, mine));
    await t.step.jobs();
    await t.plan('gamma', 'scale');
    const job = await gamma.get(`/jobs/${id}`);
    expect(job.counts).toEqual({ created: 2, existing: 0, skipped: 0, rejected: 1 });
    expect((await gamma.rejects(job))[0]).toMatch(/attendee_cap_reached: The plan allows 2 attendees/);
  });
});

describe('run again', () => {
  // claim: platform-import-again
  test('nobody is added twice; new attendees are added, in new orders and in known ones', async () => {
    const code = await acme.event(nextCode());
    const source = double.addEvent('Fair', ['Adult', 'Child']);
    const order = double.addOrder(source, [{ ticket_class: 'Adult', ...ada, gross: 1000 }]);
    const wanted = mapAll(source, connection);
    expect((await acme.run(code, wanted)).counts).toMatchObject({ created: 1, existing: 0 });
    const before = await acme.all(`/events/${code}/registrations`);
    expect((await acme.run(code, wanted)).counts).toMatchObject({ created: 0, existing: 1 });
    expect(await acme.all(`/events/${code}/registrations`)).toEqual(before);

    double.addAttendee(order, { ticket_class: 'Child', ...kit, gross: 300 });
    double.addOrder(source, [{ ticket_class: 'Adult', first_name: 'New', last_name: 'Comer' }]);
    expect((await acme.run(code, wanted)).counts).toEqual({ created: 2, existing: 1, skipped: 0, rejected: 0 });
    const after = await acme.all(`/events/${code}/registrations`);
    expect(after).toHaveLength(2);
    const joined = after.find((one) => one.id === before[0].id);
    expect(joined.attendees).toMatchObject([
      { id: before[0].attendees[0].id, tickets: before[0].attendees[0].tickets },
      { ...kit, status: 'confirmed', tickets: [{ status: 'valid' }] },
    ]);
    expect(joined).toMatchObject({ status: 'confirmed', total_minor: 1300, paid_minor: 1300 });
  });

  test('attendees who were changed or cancelled in Turnout stay so', async () => {
    const code = await acme.event(nextCode());
    const source = double.addEvent('Fair', ['Adult', 'Child']);
    const order = double.addOrder(source, [{ ticket_class: 'Adult', ...ada }]);
    await acme.run(code, mapAll(source, connection));
    const [registration] = await acme.all(`/events/${code}/registrations`);
    await acme.make(`/events/${code}/registrations/${registration.id}/cancel`, {});
    double.addAttendee(order, { ticket_class: 'Child', ...kit });
    const job = await acme.run(code, mapAll(source, connection));
    expect(job.counts).toEqual({ created: 0, existing: 1, skipped: 0, rejected: 1 });
    expect((await acme.rejects(job))[0]).toContain(
      `invalid_state: The registration ${registration.code} of its order is cancelled.`,
    );
    expect((await acme.all(`/events/${code}/registrations`))[0].status).toBe('cancelled');
  });

  test('into another event they are imported again', async () => {
    const source = double.addEvent('Fair', ['Adult']);
    double.addOrder(source, [{ ticket_class: 'Adult', ...ada }]);
    for (const code of [nextCode(), nextCode()]) {
      await acme.event(code);
      expect((await acme.run(code, mapAll(source, connection))).counts.created).toBe(1);
    }
  });

  test('two imports at once add everybody once', async () => {
    const code = await acme.event(nextCode());
    const source = double.addEvent('Fair', ['Adult']);
    for (let i = 0; i < 120; i += 1) double.addOrder(source, [{ ticket_class: 'Adult', ...ada }]);
    const ids = [
      await acme.start(code, mapAll(source, connection)),
      await acme.start(code, mapAll(source, connection)),
    ];
    await t.step.jobs();
    const [one, other] = [await acme.get(`/jobs/${ids[0]}`), await acme.get(`/jobs/${ids[1]}`)];
    expect([one.status, other.status]).toEqual(['succeeded', 'succeeded']);
    expect(one.counts.created + other.counts.created).toBe(120);
    expect(one.counts.existing + other.counts.existing).toBe(120);
    expect(await acme.all(`/events/${code}/attendees`)).toHaveLength(120);
  });

  test('if orders are added and removed while it reads, everybody is added once', async () => {
    const code = await acme.event(nextCode());
    const source = double.addEvent('Fair', ['Adult']);
    const order = () => double.addOrder(source, [{ ticket_class: 'Adult', ...ada }]);
    for (let i = 0; i < 120; i += 1) order();
    let pages = 0;
    double.afterEach = (path) => {
      if (!path.includes('/orders/') || ++pages > 3) return;
      order();
      double.orders.unshift(double.orders.pop()!);
      double.removeOrder(double.orders.filter((one) => one.event_id === source.id)[40]!.id);
    };
    const job = await acme.run(code, mapAll(source, connection));
    expect(job.status).toBe('succeeded');
    const links = await t.system((tx) =>
      tx.all<{ source_order: string }>(sql`
        select source_order from platform_people p join events e on e.org_id = p.org_id and e.id = p.event_id where e.code = ${code}`),
    );
    const taken = links.map((link) => link.source_order);
    expect(new Set(taken).size).toBe(taken.length);
    const there = double.orders.filter((one) => one.event_id === source.id).map((one) => one.id);
    expect(taken).toEqual(expect.arrayContaining(there));
    expect(await acme.all(`/events/${code}/registrations`)).toHaveLength(taken.length);
  });
});

describe('when the platform fails', () => {
  const crowd = () => {
    const source = double.addEvent('Fair', ['Adult']);
    for (let i = 0; i < 120; i += 1) double.addOrder(source, [{ ticket_class: 'Adult', ...ada }]);
    return source;
  };

  test('the token is revoked midway: the job fails with a reason; after connecting again, a new import continues', async () => {
    const code = await acme.event(nextCode());
    const source = crowd();
    let pages = 0;
    double.afterEach = (path) => {
      if (path.includes('/orders/') && ++pages === 2) double.revoke();
    };
    const job = await acme.run(code, mapAll(source, connection));
    expect(job).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/Eventbrite does not accept this token\. .* start the import again to continue/),
      counts: { created: 100 },
      progress: { done: 100, total: 120 },
    });
    expect(JSON.stringify(job)).not.toContain(double.token);
    double.restore();
    expect(await acme.connect(double)).toBe(connection);
    expect((await acme.run(code, mapAll(source, connection))).counts).toMatchObject({ created: 20, existing: 100 });
  });

  test('many 429 answers in a row are waited out', async () => {
    const code = await acme.event(nextCode());
    const source = crowd();
    let pages = 0;
    double.afterEach = (path) => {
      if (!path.includes('/orders/') || ++pages > 4) return;
      double.troubles.push({ status: 429, error: 'HIT_RATE_LIMIT', retryAfter: 20 }, { status: 429, retryAfter: 20 });
    };
    expect(await acme.run(code, mapAll(source, connection))).toMatchObject({
      status: 'succeeded',
      counts: { created: 120 },
    });
  });

  test('a limit that is not lifted soon, a disconnected account and an unknown ticket class fail with a reason', async () => {
    const code = await acme.event(nextCode());
    const source = double.addEvent('Fair', ['Adult']);
    const order = double.addOrder(source, [{ ticket_class: 'Adult', ...ada }]);
    const id = await acme.start(code, mapAll(source, connection));
    double.troubles = [{ status: 429, error: 'HIT_RATE_LIMIT', retryAfter: 7200 }];
    await t.step.jobs();
    expect((await acme.get(`/jobs/${id}`)).error).toMatch(
      /limits the number of requests and asks for a pause of 120 min/,
    );

    const delta = await organizationOf('delta');
    const mine = await delta.connect(double);
    const started = await delta.start(await delta.event(nextCode()), mapAll(source, mine));
    await delta.app('DELETE', `/platform-connections/${mine}`);
    await t.step.jobs();
    expect((await delta.get(`/jobs/${started}`)).error).toMatch(/^The account was disconnected\./);

    const again = await acme.start(code, mapAll(source, connection));
    source.ticket_classes.push({ ...source.ticket_classes[0]!, id: '31', name: 'Late' });
    double.addAttendee(order, { ticket_class: 'Late', ...kit });
    await t.step.jobs();
    const job = await acme.get(`/jobs/${again}`);
    expect(job.counts).toMatchObject({ created: 1, rejected: 1 });
    expect((await acme.rejects(job))[0]).toContain('unknown_ticket_class: Its ticket class is not in the mapping.');
  });
});

describe('stopping and deleting', () => {
  test('a process that stops does not wait for the platform; the job is given back', async () => {
    const code = await acme.event(nextCode());
    const source = double.addEvent('Fair', ['Adult']);
    double.addOrder(source, [{ ticket_class: 'Adult', ...ada }]);
    const id = await acme.start(code, mapAll(source, connection));
    const asked = new Promise<void>((resolve) => {
      double.beforeEach = () => resolve();
    });
    double.troubles = ['hangs'];
    const worker = await startTest({ database: t.database, env: { ROLES: 'worker' }, eventbrite: impatient(double) });
    await asked;
    await worker.stop();
    double.beforeEach = () => {};
    expect((await acme.get(`/jobs/${id}`)).status).toBe('queued');
    await t.step.jobs();
    expect(await acme.get(`/jobs/${id}`)).toMatchObject({ status: 'succeeded', counts: { created: 1 } });
  });

  test('the job fails if the event is deleted before it begins', async () => {
    const code = await acme.event(nextCode());
    const id = await acme.start(code, mapAll(double.addEvent('Fair', ['Adult']), connection));
    expect((await t.call('DELETE', `/v1/events/${code}`, { key: acme.key })).status).toBe(204);
    await t.step.jobs();
    expect(await acme.get(`/jobs/${id}`)).toMatchObject({ status: 'failed', error: 'The event was deleted.' });
  });

  test('an event with imported attendees can be deleted, and they with it', async () => {
    const code = await acme.event(nextCode());
    const source = double.addEvent('Fair', ['Adult']);
    double.addOrder(source, [{ ticket_class: 'Adult', ...ada }]);
    await acme.run(code, mapAll(source, connection));
    await t.system(async (tx) => {
      const event = await tx.one<{ org_id: string; id: string }>(
        sql`select org_id, id from events where code = ${code}`,
      );
      await deletePeople(tx, event.org_id, event.id);
      const left = sql`select 1 from platform_people where event_id = ${event.id}`;
      expect(await tx.all(left)).toEqual([]);
    });
  });
});

describe('access', () => {
  // claim: platform-import-plan
  test('members who may change people, on a plan with platform imports; no viewer, no key, no other organization', async () => {
    const source = double.addEvent('Fair', ['Adult']);
    const code = await acme.event(nextCode());
    const viewer = await Organizer.of(t, 'acme', 'viewer');
    for (const [method, path, body] of [
      ['POST', '/platform-connections', { platform: 'eventbrite', token: double.token }],
      ['GET', '/platform-connections', undefined],
      ['POST', `/platform-connections/${connection}/events`, undefined],
      ['POST', `/events/${code}/platform-imports`, mapAll(source, connection)],
    ] as const) {
      expect((await viewer.app(method, path, body)).body.error.code).toBe('permission_required');
      expect((await t.call(method, `/v1${path}`, { key: acme.key, body })).status).toBe(404);
    }
    const free = await organizationOf('epsilon');
    const theirs = await free.event(nextCode());
    const mine = await free.connect(double);
    // An event and a connection of another organization.
    expect((await free.app('POST', `/events/${code}/platform-imports`, mapAll(source, mine))).status).toBe(404);
    const foreign = await free.app('POST', `/events/${theirs}/platform-imports`, mapAll(source, connection));
    expect(foreign.body.error.details).toEqual([
      { path: 'connection', message: `no such platform connection: ${connection}` },
    ]);
    await t.plan('epsilon', 'free');
    const refused = await free.app('POST', `/events/${theirs}/platform-imports`, mapAll(source, mine));
    expect(refused.body.error).toMatchObject({
      code: 'entitlement_required',
      key: 'platform_import',
      upgrade_plan: 'starter',
    });
  });
});
