import { afterAll, beforeAll, expect, test } from 'vitest';
import { runSql } from '../../../../test/support/database.ts';
import { recording } from '../../../../test/support/statements.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { people, yearEvent } from '../../../../test/support/year-event.ts';

let t: TestTurnout;
let key: string;
beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  key = (await t.key('acme')).secret;
});
afterAll(() => t.stop());

const DAYS = 40;

test('each ticket of a person brings its own day, and not all days of the person', async () => {
  const days = await yearEvent(t, key, 'year', { days: DAYS });
  const body = { attendees: people(1, days), send_emails: false };
  expect((await t.call('POST', '/v1/events/year/registrations', { key, body })).status).toBe(201);
  let entries: { people: { days: string[] }[] }[] = [];
  const sent = await recording(async () => {
    const reply = await t.call('GET', '/v1/events/year/scan/roster?since=2000-01-01T00:00:00Z', { key });
    expect(reply.status, reply.text).toBe(200);
    entries = reply.body.data;
  });
  expect(entries.flatMap((entry) => entry.people.map((person) => person.days.join())).sort()).toEqual(days.sort());
  const { text, values } = sent.find((one) => one.text.includes('with chosen as'))!;
  const rows = await runSql(t.database.adminUrl, text, values);
  expect(rows).toHaveLength(DAYS);
  const read = rows.reduce((sum, row) => sum + JSON.stringify(row).length, 0);
  // A uuid takes 39 bytes in this form, so all days of the person would take 1,500 bytes in each row.
  expect(read / DAYS).toBeLessThan(1000);
});
