import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import type { Id } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import { transaction } from '../../store/tx.ts';
import { addMember } from '../access/index.ts';
import { Pages } from '../pages/my.support.ts';
import { isProven, markProven } from './index.ts';

let t: TestTurnout;
let pages: Pages;
const UNTIL = '2099-01-01T00:00:00Z';

beforeAll(async () => {
  t = await startTest();
  pages = new Pages(t, []);
  await t.org('acme');
  await t.org('other');
  await pages.event('fair', { self_service: { change_until: UNTIL, cancel_until: UNTIL, transfer_until: UNTIL } });
});
afterAll(() => t.stop());

const inOrg = async <T>(
  code: string,
  work: (org: Id, tx: Parameters<typeof isProven>[0]) => Promise<T>,
): Promise<T> => {
  const { id } = await t.system((tx) => tx.one<{ id: Id }>(sql`select id from organizations where code = ${code}`));
  return transaction(t.pool, t.clock, { role: 'app', org: id }, (tx) => work(id, tx));
};
const proven = (email: string, org = 'acme') => inOrg(org, (id, tx) => isProven(tx, id, email));

test('an address is proven in one organization, whatever its case, and no look-alike with it', async () => {
  await inOrg('acme', async (org, tx) => markProven(tx, org, ' José@Example.org '));
  expect(await proven('josé@example.org')).toBe(true);
  expect(await proven('jose@example.org')).toBe(false);
  expect(await proven('josé@example.org', 'other')).toBe(false);
  const kept = await t.system((tx) => tx.all(sql`select * from proven_addresses`));
  expect(JSON.stringify(kept).toLowerCase()).not.toContain('example');
});

test('a member has proven their address', async () => {
  expect(await proven('owner@members.example')).toBe(false);
  await inOrg('acme', async (org) => {
    await t.system((tx) => addMember(tx, org, { email: 'Owner@members.example', role: 'owner' }));
  });
  expect(await proven('owner@members.example')).toBe(true);
  expect(await proven('owner@members.example', 'other')).toBe(false);
});

test('pressing a button behind a mailed link proves the address; opening it, or the link that the form shows, does not', async () => {
  const made = await pages.made('/events/fair/registrations', {
    contact: { email: 'ada@example.org' },
    attendees: [{ first_name: 'Ada', last_name: 'Byron', attendee_type: 'adult', days: ['d1'] }],
  });
  const mailed = await pages.link(made);
  const shown = await pages.link(made, undefined, 'acme', 'shown');
  expect(shown).not.toBe(mailed);
  const change = `/people/${made.attendees[0].id}/change`;
  expect((await pages.send(shown + change, { first_name: 'Changed' })).status).toBe(303);
  expect((await pages.get(mailed)).status).toBe(200);
  expect(await proven('ada@example.org')).toBe(false);
  expect((await pages.send(mailed + change, { first_name: 'Again' })).status).toBe(303);
  expect(await proven('ada@example.org')).toBe(true);
});

test('paying proves the address of whoever registered', async () => {
  await pages.event('paid', {}, 1000);
  const made = await pages.made('/events/paid/registrations', {
    contact: { email: 'payer@example.org' },
    attendees: [{ first_name: 'Pia', last_name: 'Payer', attendee_type: 'adult', days: ['d1'] }],
  });
  expect(await proven('payer@example.org')).toBe(false);
  const payment = { amount_minor: 1000, method: 'cash' };
  await pages.made(`/events/paid/registrations/${made.id}/payments`, payment);
  expect(await proven('payer@example.org')).toBe(true);
});
