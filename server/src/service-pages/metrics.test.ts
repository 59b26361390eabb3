import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exchange } from '../../../test/support/raw.ts';
import { startTest, type TestTurnout } from '../../../test/support/turnout.ts';
import { readConfig } from '../config.ts';

const TOKEN = 'a-token-that-only-the-scraper-knows';
const started: TestTurnout[] = [];
const start = async (env: Record<string, string>) => {
  const t = await startTest({ env });
  started.push(t);
  return t;
};
afterAll(async () => {
  for (const t of started) await t.stop();
});
/** Headers of a request that comes from an address through a trusted proxy on this machine. */
const from = (address: string) => ({ 'x-forwarded-for': address });
const status = async (t: TestTurnout, headers: Record<string, string> = {}) =>
  (await t.call('GET', '/metrics', { headers })).status;

describe('/metrics', () => {
  let proxied: TestTurnout;
  let plain: TestTurnout;
  beforeAll(async () => {
    proxied = await start({
      TRUSTED_PROXIES: '127.0.0.1',
      METRICS_NETWORKS: '10.1.0.0/16, 2001:db8::/32',
      METRICS_TOKEN: TOKEN,
    });
    plain = await start({});
  });

  test('is open to this machine and to named networks', async () => {
    expect(await status(plain)).toBe(200);
    expect(await status(proxied)).toBe(200);
    expect(await status(proxied, from('10.1.2.3'))).toBe(200);
    expect(await status(proxied, from('2001:db8::7'))).toBe(200);
    expect(await status(proxied, from('::1'))).toBe(200);
  });

  test('asks everybody else for the token', async () => {
    for (const headers of [from('203.0.113.9'), from('10.2.0.1'), from('10.1.2.3, 203.0.113.9')]) {
      const refused = await proxied.call('GET', '/metrics', { headers });
      expect([refused.status, refused.body.error.code, refused.headers.get('www-authenticate')]).toEqual([
        401,
        'metrics_token_required',
        'Bearer',
      ]);
      expect(refused.text).not.toContain('turnout_requests_total');
      expect(await status(proxied, { ...headers, authorization: `Bearer ${TOKEN}` })).toBe(200);
      expect(await status(proxied, { ...headers, authorization: `Bearer ${TOKEN}x` })).toBe(401);
      expect(await status(proxied, { ...headers, authorization: 'Bearer' })).toBe(401);
    }
    // No token is configured, so no token is accepted.
    for (const authorization of ['Bearer ', 'Bearer undefined', 'Bearer null', '']) {
      expect(await status(plain, { ...from('203.0.113.9'), authorization })).toBe(401);
    }
  });

  test('does not mistake a proxy on this machine for its visitor, nor believe the headers of a stranger', async () => {
    for (const headers of [
      from('127.0.0.1'),
      from('10.1.2.3'),
      { forwarded: 'for=127.0.0.1' },
      { 'x-real-ip': '127.0.0.1' },
      { via: '1.1 proxy' },
    ]) {
      expect([headers, await status(plain, headers as Record<string, string>)]).toEqual([headers, 401]);
    }
    // A request for the public name has come through a proxy.
    const [reply] = await exchange(
      plain.url,
      'GET /metrics HTTP/1.1\r\nHost: tickets.example\r\nConnection: close\r\n\r\n',
    );
    expect(reply!.status).toBe(401);
  });

  test('reads queue lengths from statistics, once for many readers, and works without the database', async () => {
    const statements: string[] = [];
    const t = await start({});
    const { connect } = t.pool;
    const heard = new WeakSet<object>();
    t.pool.connect = (async (...args: []) => {
      const connecting = (connect as () => Promise<{ query: unknown }>).apply(t.pool, args);
      const client = (await connecting) as { query: (...given: unknown[]) => unknown };
      if (!heard.has(client)) {
        heard.add(client);
        const { query } = client;
        client.query = function (this: unknown, ...given: unknown[]) {
          const [first] = given;
          statements.push(typeof first === 'string' ? first : String((first as { text?: string })?.text));
          return query.apply(client, given);
        };
      }
      return client;
    }) as never;
    const replies = await Promise.all(Array.from({ length: 20 }, () => t.call('GET', '/metrics')));
    for (let i = 0; i < 5; i += 1) replies.push(await t.call('GET', '/metrics'));
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]));
    for (const name of ['outbox_rows', 'mails_queued', 'jobs_open']) {
      expect(replies.at(-1)!.text).toMatch(new RegExp(`^turnout_${name} \\d+$`, 'm'));
    }
    const counting = statements.filter((text) => /\b(outbox|mails|jobs)\b/.test(text));
    expect(counting.length).toBeLessThanOrEqual(1);
    expect(statements.join('\n')).not.toMatch(/from\s+(outbox|mails|jobs)\b/i);

    const away = await start({});
    await away.database.drop();
    const reply = await away.call('GET', '/metrics');
    expect([reply.status, /^process_cpu_seconds_total/m.test(reply.text)]).toEqual([200, true]);
  });
});

test('the documentation lists the metrics, and no others', async () => {
  const t = await start({});
  const { text } = await t.call('GET', '/metrics');
  const shown = [...text.matchAll(/^# TYPE (turnout_\w+)/gm)].map((found) => found[1]!);
  const page = readFileSync(new URL('../../../docs/operating/monitoring.md', import.meta.url), 'utf8');
  const listed = [...page.matchAll(/^\| (`turnout_[^|]*)\|/gm)].flatMap(([, names]) =>
    [...names!.matchAll(/`(turnout_\w+)/g)].map((found) => found[1]!),
  );
  expect(shown.length).toBeGreaterThan(10);
  expect(listed.toSorted()).toEqual(shown.toSorted());
});

test('/readyz says that the database is away, without repeating its message', async () => {
  const lines: string[] = [];
  const t = await startTest({ log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }) });
  const { rows } = await t.pool.query('select current_database() as name');
  await t.database.drop();
  const reply = await t.call('GET', '/readyz');
  expect([reply.status, reply.body]).toEqual([
    503,
    { status: 'not ready', checks: { database: 'unreachable', migrations: 'unknown', files: 'ok' } },
  ]);
  expect(reply.text).not.toContain(rows[0].name);
  expect(lines.join('')).toContain('the database does not answer');
  await t.stop();
});

test('a wrong setting is refused', () => {
  expect(() => readConfig({ METRICS_NETWORKS: '10.0.0.0/40' })).toThrow(/METRICS_NETWORKS: 10\.0\.0\.0\/40 is not/);
  expect(() => readConfig({ METRICS_TOKEN: 'short' })).toThrow(/METRICS_TOKEN/);
  expect(readConfig({ METRICS_TOKEN: TOKEN }).metrics).toEqual({ token: TOKEN, networks: [] });
});
