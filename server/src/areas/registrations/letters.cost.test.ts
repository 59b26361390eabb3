import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { newId, toUuid } from '../../common/ids.ts';
import type { OutgoingMail } from '../../outside/mail.ts';
import { sql, name as table } from '../../store/sql.ts';

/** What mails about a large registration cost: its content is stored once, and not once for each attendee. */
let t: TestTurnout;
let key: string;
const sent: OutgoingMail[] = [];
beforeAll(async () => {
  t = await startTest({ mail: { describe: 'kept', close: () => {}, send: async (mail) => void sent.push(mail) } });
  await t.org('acme');
  await t.plan('acme', 'scale', [
    ['api_rate_per_min', '1000000'],
    ['attendees_per_event', '1000000'],
  ]);
  key = (await t.key('acme')).secret;
  for (const ticketing of ['per_person', 'shared']) {
    await post('/events', { code: ticketing, name: `Event ${ticketing}`, ticketing });
    await post(`/events/${ticketing}/days`, { code: 'd1', name: 'Opening day', date: '2036-12-01' });
    await post(`/events/${ticketing}/attendee-types`, { code: 'adult', name: 'Adult' });
    await post(`/events/${ticketing}/questions`, { code: 'story', label: 'Your story', kind: 'text' });
    await post(`/events/${ticketing}/publish`);
  }
});
afterAll(() => t.stop());
beforeEach(async () => {
  await t.system((tx) => tx.run(sql`delete from mails`));
  sent.length = 0;
});

const post = async (path: string, body?: object) => {
  const reply = await t.call('POST', `/v1${path}`, { key, body });
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.body;
};
const crowd = (people: number, story = 'x'.repeat(500)) =>
  Array.from({ length: people }, (_, n) => ({
    attendee_type: 'adult',
    first_name: `Ada${n}`,
    last_name: 'Guest',
    email: `ada${n}@example.org`,
    answers: { story },
  }));
async function letters(): Promise<OutgoingMail[]> {
  while ((await t.step.mails()) > 0);
  return sent.splice(0);
}

/** The bytes written for mails, in all of their tables. */
async function bytesOfMails(): Promise<number> {
  const tables = await t.system((tx) =>
    tx.all<{ name: string }>(sql`
      select c.relname as name from pg_class c where c.relname like 'mail%' and c.relkind in ('r', 'p') and not c.relispartition`),
  );
  let bytes = 0;
  for (const { name } of tables) {
    bytes += await t.system(
      async (tx) =>
        (
          await tx.one<{ n: number }>(
            sql`select coalesce(sum(octet_length(m::text)), 0)::int as n from ${table(name)} m`,
          )
        ).n,
    );
    await t.system((tx) => tx.run(sql`delete from ${table(name)}`));
  }
  return bytes;
}

describe.each(['per_person', 'shared'])('with tickets %s', (ticketing) => {
  test('what is written for mails grows with the number of attendees, and not with its square', async () => {
    const cost = async (people: number) => {
      await post(`/events/${ticketing}/registrations`, { attendees: crowd(people) });
      return bytesOfMails();
    };
    const [few, many] = [await cost(20), await cost(200)];
    expect(many / few).toBeLessThan(15);
    expect(many).toBeLessThan(JSON.stringify(crowd(200)).length * 2);
  });

  test('every attendee still gets their own ticket, and the registrant all of them', async () => {
    const made = await post(`/events/${ticketing}/registrations`, { attendees: crowd(4) });
    const mails = await letters();
    expect(mails.map((mail) => mail.to).sort()).toEqual([0, 1, 2, 3].map((n) => `ada${n}@example.org`));
    for (const mail of mails) {
      expect(mail.attachments[0]?.filename).toBe(`${ticketing}-${made.code}.pdf`);
      expect(mail.text).toContain('Opening day');
    }
    const own = mails.find((mail) => mail.to === 'ada2@example.org')!;
    expect(own.text).toContain('Ada2 Guest');
    if (ticketing === 'per_person') expect(own.text).not.toContain('Ada1 Guest');
    expect(mails.find((mail) => mail.to === 'ada0@example.org')!.text).toContain('Ada3 Guest');
  });
});

test('answers, e-mail addresses and phone numbers are not copied into mails', async () => {
  const attendees = crowd(2, 'a very private story').map((one) => ({ ...one, phone: '+49 30 901820' }));
  const made = await post('/events/per_person/registrations', { attendees });
  await post(`/tickets/${made.attendees[0].tickets[0].id}/send`);
  const rows = await t.system((tx) => tx.all<{ text: string }>(sql`select m.data::text as text from mails m`));
  expect(rows).toHaveLength(3);
  const all = [
    ...rows,
    ...(await t.system((tx) => tx.all<{ text: string }>(sql`select m::text as text from mail_contents m`))),
  ];
  for (const { text } of all)
    for (const word of ['private story', '901820', '@example.org']) expect(text).not.toContain(word);
});

test('a mail says what was true when it was queued, whatever changes until it is sent', async () => {
  const made = await post('/events/per_person/registrations', { attendees: crowd(2) });
  await t.call('PATCH', `/v1/events/per_person/attendees/${made.attendees[1].id}`, {
    key,
    body: { first_name: 'Renamed' },
  });
  const mails = await letters();
  expect(mails).toHaveLength(2);
  expect(mails.find((mail) => mail.to === 'ada1@example.org')!.text).toContain('Ada1 Guest');
});

test('mails that an earlier build queued are still sent', async () => {
  const made = await post('/events/per_person/registrations', { attendees: crowd(2), send_emails: false });
  const event = await t.call('GET', '/v1/events/per_person', { key });
  const tickets = await Promise.all(
    made.attendees.map(async (person: { tickets: { id: string }[] }) => {
      return (await t.call('GET', `/v1/tickets/${person.tickets[0]!.id}`, { key })).body;
    }),
  );
  const data = { registration: made, tickets, reason: null };
  await t.system(async (tx) => {
    for (const [kind, more] of [
      ['confirmation', {}],
      ['attendee_ticket', { attendee: toUuid(made.attendees[1].id) }],
    ] as const) {
      await tx.run(sql`
        insert into mails (org_id, id, kind, recipient, recipient_name, subject, data, event_id, object_id, next_attempt_at, created_at)
        select id, ${newId(tx.clock.now())}, ${kind}, 'old@example.org', 'Ada', 'Event', ${JSON.stringify({ ...data, ...more })},
          ${toUuid(event.body.id)}, ${toUuid(made.id)}, ${tx.clock.now()}, ${tx.clock.now()} from organizations where code = 'acme'`);
    }
  });
  const mails = await letters();
  expect(
    mails.map((mail) => [mail.to, mail.attachments.filter((one) => one.filename.endsWith('.pdf')).length]),
  ).toEqual([
    ['old@example.org', 1],
    ['old@example.org', 1],
  ]);
});

test('erasing a person removes them, and nothing else, from mails that others are still to get', async () => {
  const made = await post('/events/shared/registrations', { attendees: crowd(3) });
  await post(`/contacts/${made.attendees[1].contact_id}/erase`);
  const left = await t.system((tx) =>
    tx.all<{ text: string }>(sql`select m::text as text from mails m union all select c::text from mail_contents c`),
  );
  for (const { text } of left) expect(text).not.toMatch(/Ada1\b|ada1@/);
  const mails = await letters();
  expect(mails.map((mail) => mail.to)).toContain('ada2@example.org');
  for (const mail of mails) expect(mail.text).not.toContain('Ada1');
});
