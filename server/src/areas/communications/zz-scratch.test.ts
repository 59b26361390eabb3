import { expect, test } from 'vitest';
import { fill } from '../../../../bench/lists-fill.ts';
import { startTest } from '../../../../test/support/turnout.ts';
import { toUuid } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';

import pg from 'pg';
const spent = new Map<string, [number, number]>();
const query = pg.Client.prototype.query as (...g: unknown[]) => unknown;
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
  const [f] = given as [string | { text?: string }];
  const text = (typeof f === 'string' ? f : f?.text ?? '').trim().replaceAll(/\s+/g, ' ').slice(0, 70);
  const at = performance.now();
  const a = query.apply(this, given);
  (a as Promise<unknown>)?.then?.(() => { const [n, ms] = spent.get(text) ?? [0, 0]; spent.set(text, [n + 1, ms + performance.now() - at]); }, () => {});
  return a;
} as never;
test('measure', { timeout: 600_000 }, async () => {
  const t = await startTest();
  const org = await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  const key = (await t.key('acme')).secret;
  const make = async (path: string, body?: object) => toUuid((await t.call('POST', path, { key, body })).body.id);
  const event = await make('/v1/events', { code: 'big', name: 'Big' });
  const days = [await make(`/v1/events/big/days`, { code: 'd1', date: '2026-12-01' })];
  const types = [await make(`/v1/events/big/attendee-types`, { code: 'adult', name: 'Adult' })];
  await make(`/v1/events/big/publish`);
  await fill({ url: t.database.adminUrl, org, event, days, types, attendees: 20_000 });
  const c = (
    await t.call('POST', '/v1/events/big/communications', {
      key,
      body: { subject: 'Hi {{first_name}}', text: 'Dear {{first_name}} {{days}} {{ticket_codes}}', kind: 'news' },
    })
  ).body;
  let at = performance.now();
  const lap = (what: string) => {
    console.log(what, Math.round(performance.now() - at), 'ms');
    at = performance.now();
  };
  const p = await t.call('POST', `/v1/events/big/communications/${c.id}/preview`, { key, body: {} });
  console.log(p.status, p.body.recipients, p.body.skipped);
  lap('preview');
  await t.call('POST', `/v1/events/big/communications/${c.id}/send`, { key, body: {} });
  lap('send');
  spent.clear();
  await t.step.jobs();
  for (const [k, [n, ms]] of [...spent].sort((a, b) => b[1][1] - a[1][1]).slice(0, 14)) console.log('  Q', n, Math.round(ms), k);
  lap('job');
  const g = await t.call('GET', `/v1/events/big/communications/${c.id}`, { key });
  console.log(g.body.counts);
  lap('get cold');
  for (let i = 0; i < 10; i += 1) await t.call('GET', `/v1/events/big/communications/${c.id}`, { key });
  lap('10 gets');
  await t.system((tx) => tx.run(sql`update communication_recipients set status = 'sent'`));
  lap('mark');
  for (let i = 0; i < 10; i += 1) await t.call('GET', `/v1/events/big/communications/${c.id}`, { key });
  lap('10 gets');
  for (let i = 0; i < 10; i += 1)
    await t.call('GET', `/v1/events/big/communications/${c.id}/recipients?limit=200`, { key });
  lap('10 recipients');
  for (let i = 0; i < 10; i += 1)
    await t.call('GET', `/v1/events/big/communications/${c.id}/recipients?limit=200&status=failed`, { key });
  lap('10 recipients failed');
  const { transaction } = await import('../../store/tx.ts');
  for (const q of [
    sql`explain analyze select p.same from communication_recipients p where p.org_id = ${org} and p.communication_id = ${toUuid(c.id)} and p.same = any(${['a', 'b']})`,
    sql`explain analyze select p.attendee_id, p.email from communication_recipients p where p.org_id = ${org} and p.communication_id = ${toUuid(c.id)} and p.status = 'pending' order by p.attendee_id limit 100`,
    sql`explain analyze update communication_recipients p set status = d.status from unnest(${Array.from({ length: 100 }, () => toUuid(c.id))}::uuid[], ${Array.from({ length: 100 }, () => 'queued')}::text[]) as d(attendee_id, status) where p.org_id = ${org} and p.communication_id = ${toUuid(c.id)} and p.attendee_id = d.attendee_id`,
  ]) {
    const rows = await transaction(t.pool, t.clock, { role: 'app', org }, (tx) => tx.all<{ 'QUERY PLAN': string }>(q));
    console.log(rows.map((r) => r['QUERY PLAN']).join('\n'));
  }
  expect(1).toBe(1);
  await t.stop();
});
