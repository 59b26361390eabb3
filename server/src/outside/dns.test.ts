import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DnsServer, startDnsServer } from '../../../test/support/dns-server.ts';
import { Dns } from './dns.ts';

let server: DnsServer;
let dns: Dns;
beforeAll(async () => {
  server = await startDnsServer();
  dns = new Dns([server.address], { deadlineMs: 300, tryMs: 200 });
  for (const [name, answer] of [
    ['one.example', ['hello']],
    ['several.example', ['a', 'b', 'c']],
    ['split.example', [['x'.repeat(255), 'y'.repeat(100)]]],
    ['other-type.example', []],
    ['broken.example', 'servfail'],
    ['refuses.example', 'refused'],
    ['silent.example', 'silent'],
    ['endless.example', Array.from({ length: 400 }, (_, i) => String(i))],
  ] as const)
    server.zone.set(name, answer);
});
afterAll(() => server.stop());

test.each([
  ['one.example', ['hello']],
  ['several.example', ['a', 'b', 'c']],
  // A text of more than 255 bytes is sent in parts, and is one text all the same.
  ['split.example', [`${'x'.repeat(255)}${'y'.repeat(100)}`]],
])('the texts of %s', async (name, texts) => {
  expect((await dns.txt(name))?.toSorted()).toEqual(texts.toSorted());
});

test.each(['nobody.example', 'other-type.example'])('%s has no texts, which is an answer', async (name) => {
  expect(await dns.txt(name)).toEqual([]);
});

test.each(['broken.example', 'refuses.example', 'silent.example'])('%s: it is not known', async (name) => {
  expect(await dns.txt(name)).toBeNull();
});

test('a resolver that is not there: it is not known', async () => {
  expect(await new Dns(['127.0.0.1:9'], { deadlineMs: 300, tryMs: 200 }).txt('one.example')).toBeNull();
});

test('an answer without end is cut', async () => {
  expect(await dns.txt('endless.example')).toHaveLength(100);
});

test('those who ask at the same time share a question; nobody gets an answer from before', async () => {
  // A name of its own, because its texts change.
  server.zone.set('shared.example', ['hello']);
  server.asked.length = 0;
  const answers = await Promise.all([dns.txt('shared.example'), dns.txt('shared.example'), dns.txt('shared.example')]);
  expect(answers).toEqual([['hello'], ['hello'], ['hello']]);
  expect(server.asked).toEqual(['shared.example']);
  server.zone.set('shared.example', ['changed']);
  expect(await dns.txt('shared.example')).toEqual(['changed']);
});
