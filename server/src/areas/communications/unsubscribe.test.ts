import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Receiver } from '../../../../test/support/mail-receiver.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { sql } from '../../store/sql.ts';
import { Fair, htmlOf, subjects, textOf } from './communications.support.ts';

let receiver: Receiver;
let t: TestTurnout;
let key: string;
let fair: Fair;
const NEWS = { kind: 'news', subject: 'News', text: 'What is new' };

beforeAll(async () => {
  receiver = await new Receiver().start();
  t = await startTest({ env: { SMTP_URL: receiver.url, SCANNER_URL: 'https://tickets.example' } });
  await t.org('acme');
  key = (await t.key('acme')).secret;
  fair = await Fair.open(t, key, 'fair');
  await fair.register([{ first_name: 'Ada', email: 'Ada@example.org' }]);
  await fair.register([{ first_name: 'Bob', email: 'bob@example.org' }]);
});
afterAll(async () => {
  t.mail.close();
  await t.stop();
  await receiver.stop();
});
beforeEach(async () => {
  await t.system((tx) => tx.run(sql`delete from unsubscribed`));
  receiver.clear();
});

/** The link in Ada's mail, as a mail program reads it. */
function linkOf(to: string): string {
  const { mail } = receiver.received.find((one) => one.to[0] === to)!;
  expect(mail.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  return /^<(https:\/\/tickets\.example\/links\/unsubscribe\/[\w.-]+)>$/.exec(
    mail.headers.get('list-unsubscribe')!,
  )![1]!;
}
const follow = (link: string, init: RequestInit = {}) => fetch(t.url + new URL(link).pathname, init);
const oneClick = (link: string) =>
  follow(link, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });

describe('news', () => {
  test('ends with the link that is also in its headers; the link does not contain the address', async () => {
    await fair.send(NEWS);
    const link = linkOf('Ada@example.org');
    const mail = receiver.received.find(({ to }) => to[0] === 'Ada@example.org')!;
    expect(textOf(mail)).toContain(`Unsubscribe: ${link}`);
    expect(htmlOf(mail)).toContain(`href="${link}"`);
    expect(Buffer.from(link.split('/').at(-1)!.split('.')[0]!, 'base64url').toString()).not.toMatch(/ada@|example/i);
  });

  test('a GET, as programs that scan mails send, does not unsubscribe', async () => {
    await fair.send(NEWS);
    const page = await follow(linkOf('Ada@example.org'));
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const html = await page.text();
    expect(html).toMatch(/Unsubscribe from acme events\?[\s\S]*<form class="actions" method="post">/);
    // It has the look of the organization's own pages, and allows nothing else.
    expect(html).toContain('<header class="site"><a href="/o/acme/">acme events</a></header>');
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe-inline');
    expect(page.headers.get('x-robots-tag')).toBe('noindex');
    receiver.clear();
    await fair.send(NEWS);
    expect(subjects(receiver)).toEqual(['Ada@example.org: News', 'bob@example.org: News']);
  });

  test('a POST unsubscribes the address, in any letter case, from all events of the organization', async () => {
    await fair.send(NEWS);
    const done = await oneClick(linkOf('Ada@example.org'));
    expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('You’re unsubscribed')]);
    const other = await Fair.open(t, key, 'other');
    await other.register([{ first_name: 'Ada', email: 'ADA@EXAMPLE.ORG' }]);
    receiver.clear();
    const [here, there] = [await fair.send(NEWS), await other.send(NEWS)];
    expect(subjects(receiver)).toEqual(['bob@example.org: News']);
    expect(await fair.fates(here)).toEqual(['Ada: skipped, unsubscribed', 'Bob: sent']);
    expect(await other.fates(there)).toEqual(['Ada: skipped, unsubscribed']);
    expect((await fair.act(here, 'preview')).body).toMatchObject({
      recipients: 2,
      skipped: [{ reason: 'unsubscribed', people: 1 }],
    });
  });

  test('a multipart form is accepted like any other body, and a second POST changes nothing', async () => {
    await fair.send(NEWS);
    const link = linkOf('bob@example.org');
    const form = new FormData();
    form.set('List-Unsubscribe', 'One-Click');
    expect((await follow(link, { method: 'POST', body: form })).status).toBe(200);
    expect((await follow(link, { method: 'POST' })).status).toBe(200);
    const log = await t.call('GET', '/v1/audit-log?limit=200', { key });
    const told = log.body.data.filter((row: { action: string }) => row.action === 'communication.unsubscribed');
    expect(told.filter((row: { object: { id: string } }) => row.object.id === told[0].object.id)).toHaveLength(1);
  });

  test('that is already queued is not sent to an address that unsubscribes meanwhile', async () => {
    await fair.send(NEWS);
    const link = linkOf('bob@example.org');
    receiver.clear();
    const id = await fair.draft(NEWS);
    await fair.act(id, 'send');
    await t.step.jobs();
    await oneClick(link);
    await fair.background();
    expect(await fair.fates(id)).toEqual(['Ada: sent', 'Bob: skipped, unsubscribed']);
    expect(subjects(receiver)).toEqual(['Ada@example.org: News']);
  });

  test('is sent again after subscribing again on the page', async () => {
    await fair.send(NEWS);
    const link = linkOf('bob@example.org');
    await oneClick(link);
    expect(await (await follow(link)).text()).toMatch(/You’re unsubscribed[\s\S]*name="again"/);
    await follow(link, { method: 'POST', body: new URLSearchParams({ again: '1' }) });
    receiver.clear();
    await fair.send(NEWS);
    expect(subjects(receiver)).toContain('bob@example.org: News');
  });
});

test('messages about the event reach addresses that unsubscribed from news', async () => {
  await fair.send(NEWS);
  await oneClick(linkOf('bob@example.org'));
  receiver.clear();
  await fair.send({ ...NEWS, kind: 'service' });
  expect(subjects(receiver)).toContain('bob@example.org: News');
  expect(receiver.received[0]!.mail.headers.has('list-unsubscribe')).toBe(false);
});

test('the link in a test mail unsubscribes its recipient; the one in a preview unsubscribes nobody', async () => {
  const id = await fair.draft(NEWS);
  await fair.act(id, 'test', { to: ['Ada@example.org'] });
  await t.step.mails();
  await oneClick(linkOf('Ada@example.org'));
  const { html } = (await fair.act(id, 'preview')).body;
  await oneClick(/href="(https:[^"]*unsubscribe[^"]*)"/.exec(html)![1]!);
  receiver.clear();
  await fair.send(NEWS);
  expect(subjects(receiver)).toEqual(['bob@example.org: News']);
});

test('a forged, changed or expired link is refused and changes nothing', async () => {
  await fair.send(NEWS);
  const link = linkOf('bob@example.org');
  const [body, signature] = link.split('/').at(-1)!.split('.') as [string, string];
  const forged = Buffer.from(body, 'base64url').toString().replace('"address":"', '"address":"x');
  for (const token of ['x', `${body}.`, `${Buffer.from(forged).toString('base64url')}.${signature}`]) {
    const headers = { 'accept-language': 'de' };
    const reply = await fetch(`${t.url}/links/unsubscribe/${token}`, { method: 'POST', headers });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(await reply.text()).toContain('Dieser Link funktioniert nicht');
  }
  expect(await t.system((tx) => tx.all(sql`select from unsubscribed`))).toEqual([]);
});
