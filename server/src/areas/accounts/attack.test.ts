import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Secret, TOTP } from 'otpauth';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { isNight } from '../../../../test/support/night.ts';
import { HOUR, MINUTE } from '../../clock.ts';
import { sql } from '../../store/sql.ts';
import { transaction } from '../../store/tx.ts';
import {
  type AccountWorld,
  accountWorld,
  Browser,
  code,
  expectSignedIn,
  newEmail,
  PASSWORD,
  type Person,
} from './accounts.support.ts';
import { takeLink } from './links.ts';
import { Passwords } from './passwords.ts';
import { useCode } from './recovery-codes.ts';
import { hashToken } from './tokens.ts';

let w: AccountWorld;
beforeAll(async () => {
  w = await accountWorld();
  await w.t.org('acme');
  await w.t.org('other');
});
afterAll(() => w.t.stop());

const WRONG = 'not the right password';
const rowsOf = (table: 'sign_in_tries' | 'audit_log') =>
  w.t.system(async (tx) => {
    const counted =
      table === 'audit_log'
        ? sql`select count(*)::int as n from audit_log`
        : sql`select count(*)::int as n from sign_in_tries`;
    return (await tx.one<{ n: number }>(counted)).n;
  });

/** How many tries a flood of so many milliseconds gets: the free ones, and one after each wait that has passed meanwhile. */
function mostTries(free: number, ms: number): number {
  let [tries, wait, left] = [free, 15_000, ms];
  while (left >= wait) {
    [tries, left, wait] = [tries + 1, left - wait, Math.min(900_000, wait * 2)];
  }
  return tries;
}

/** What is looked at is bounded, however many come. At night 10,000 do. */
const MANY = isNight ? 10_000 : 500;

describe('wrong passwords without end', () => {
  /** Sends them twenty at a time, as fast as they are answered. */
  async function flood(count: number, one: (i: number) => { email: string; network: string }) {
    const agent = new Agent({ connections: 20 });
    const seen: Record<string, number> = {};
    let next = 0;
    const client = async () => {
      for (let i = next++; i < count; i = next++) {
        const { email, network } = one(i);
        const answer = await request(`${w.t.url}/app/api/-/sign-in/password`, {
          dispatcher: agent,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'sec-fetch-site': 'same-origin',
            'x-forwarded-for': network,
          },
          body: JSON.stringify({ email, password: `${WRONG} ${i}` }),
        });
        await answer.body.dump();
        seen[answer.statusCode] = (seen[answer.statusCode] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: 20 }, client));
    await agent.close();
    return seen;
  }

  test('against one account from one address: five are looked at, and no table grows', async () => {
    const ada = await w.person();
    const hers = w.browser();
    await hers.signIn(ada.email);
    const [tries, audit] = [await rowsOf('sign_in_tries'), await rowsOf('audit_log')];
    const computed = vi.spyOn(Passwords.prototype, 'fits');
    const began = performance.now();
    const seen = await flood(MANY, () => ({ email: ada.email, network: '192.0.2.66' }));
    const looked = computed.mock.calls.length;
    computed.mockRestore();
    const ms = performance.now() - began;
    console.log(`${MANY} wrong passwords: ${Math.round(ms)} ms, ${looked} hashes`);
    expect(looked).toBeGreaterThanOrEqual(5);
    expect(looked).toBeLessThanOrEqual(mostTries(5, ms));
    expect(seen).toEqual({ 401: looked, 429: MANY - looked });
    expect((await rowsOf('sign_in_tries')) - tries).toBe(2);
    expect((await rowsOf('audit_log')) - audit).toBe(looked);
    // The owner is not kept out: neither in the browser that she used before, nor by a mailed link.
    await hers.post('/sign-out');
    expectSignedIn(await hers.signIn(ada.email));
    const elsewhere = w.browser();
    expect(code(await elsewhere.signIn(ada.email))).toEqual([429, 'sign_in_throttled']);
    await elsewhere.post('/sign-in/mail', { email: ada.email });
    expectSignedIn(await elsewhere.post('/sign-in/link', { token: (await w.links(ada.email)).at(-1) }));
  }, 240_000);

  test('against many accounts from one network: fifty are looked at', async () => {
    const tries = await rowsOf('sign_in_tries');
    const began = performance.now();
    const seen = await flood(300, (i) => ({
      email: `nobody${i}@example.org`,
      network: `2001:db8:7:7::${i.toString(16)}`,
    }));
    expect(seen[401]).toBeLessThanOrEqual(mostTries(50, performance.now() - began));
    expect(seen[401]! + seen[429]!).toBe(300);
    expect((await rowsOf('sign_in_tries')) - tries).toBe(seen[401]! + 1);
  }, 120_000);

  test('against one account from many networks: five are looked at', async () => {
    const ada = await w.person();
    const began = performance.now();
    const seen = await flood(200, (i) => ({ email: ada.email, network: `10.7.${i >> 8}.${i & 255}` }));
    expect(seen[401]).toBeLessThanOrEqual(mostTries(5, performance.now() - began));
  }, 120_000);
});

describe('waiting', () => {
  test('grows from 15 seconds to 15 minutes and never further; an hour of quiet forgets it', async () => {
    const ada = await w.person();
    const thief = () => w.browser();
    const wait = async () => {
      const reply = await thief().signIn(ada.email, WRONG);
      return reply.status === 401 ? 0 : Number(reply.headers.get('retry-after'));
    };
    for (let i = 0; i < 5; i += 1) expect(await wait()).toBe(0);
    const waits: number[] = [];
    for (let i = 0; i < 9; i += 1) {
      const seconds = await wait();
      waits.push(seconds);
      w.t.clock.advance(seconds * 1000);
      expect(await wait()).toBe(0);
    }
    expect(waits).toEqual([15, 30, 60, 120, 240, 480, 900, 900, 900]);
    // The right password of the owner, who waits as told, works and forgets the failures.
    w.t.clock.advance(15 * MINUTE);
    expectSignedIn(await thief().signIn(ada.email));
    for (let i = 0; i < 5; i += 1) expect(await wait()).toBe(0);
    expect(await wait()).toBeGreaterThan(0);
    w.t.clock.advance(HOUR + 1000);
    for (let i = 0; i < 5; i += 1) expect(await wait()).toBe(0);
  });

  test('is the same for an address without an account', async () => {
    const unknown = newEmail();
    const statuses = [];
    for (let i = 0; i < 6; i += 1) statuses.push((await w.browser().signIn(unknown, WRONG)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test('tries that come at once count one after the other', async () => {
    const ada = await w.person();
    const replies = await Promise.all(Array.from({ length: 30 }, () => w.browser().signIn(ada.email, WRONG)));
    expect(replies.filter((reply) => reply.status === 401)).toHaveLength(5);
    expect(replies.filter((reply) => reply.status === 429)).toHaveLength(25);
  });

  test('a known browser is throttled too, and a cookie that somebody made up is not one', async () => {
    const ada = await w.person();
    const hers = w.browser();
    await hers.signIn(ada.email);
    await hers.post('/sign-out');
    for (let i = 0; i < 5; i += 1) expect((await hers.signIn(ada.email, WRONG)).status).toBe(401);
    expect((await hers.signIn(ada.email, WRONG)).status).toBe(429);
    // Others still have their own tries.
    expect((await w.browser().signIn(ada.email, WRONG)).status).toBe(401);
    const known = hers.cookies.get('turnout_known')!;
    const [account, browser, signature] = known.split('.') as [string, string, string];
    for (const forged of [`${account}.${browser}x.${signature}`, `${account}.x.${signature}`, 'x', `${account}..`]) {
      const thief = w.browser();
      thief.cookies.set('turnout_known', forged);
      await thief.signIn(ada.email, WRONG);
    }
    const thief = w.browser();
    expect((await thief.signIn(ada.email, WRONG)).status).toBe(429);
  });
});

describe('known and unknown addresses', () => {
  test('cost the same work and get the same answer, headers included', async () => {
    const ada = await w.person();
    const without = await w.person({ password: null });
    const fits = vi.spyOn(Passwords.prototype, 'fits');
    const measure = async (email: string) => {
      const before = fits.mock.instances.length;
      const reply = await w.browser().signIn(email, WRONG);
      const passwords = fits.mock.contexts.at(-1) as unknown as Passwords;
      const headers = [...reply.headers.keys()].filter((name) => name !== 'date').sort();
      const { request_id: _id, ...error } = reply.body.error;
      return {
        hashes: fits.mock.instances.length - before,
        counted: passwords.computed,
        status: reply.status,
        headers,
        error,
      };
    };
    const [known, unknown, bare] = [await measure(ada.email), await measure(newEmail()), await measure(without.email)];
    fits.mockRestore();
    // Each of the three has computed one hash, not merely been asked to.
    expect([unknown.counted - known.counted, bare.counted - unknown.counted]).toEqual([1, 1]);
    const { counted: _k, ...first } = known;
    const { counted: _u, ...second } = unknown;
    const { counted: _b, ...third } = bare;
    expect(first).toEqual(second);
    expect(third).toEqual(second);
    expect(first.hashes).toBe(1);
  });

  test('a mail link runs the same statements', async () => {
    const ada = await w.person();
    const written = async (email: string) => {
      const count = () =>
        w.t.system((tx) =>
          tx.one(sql`
            select (select count(*)::int from account_links) as links, (select count(*)::int from sign_in_tries) as tries,
              (select count(*)::int from mails) as mails`),
        ) as Promise<Record<string, number>>;
      const before = await count();
      await w.browser().post('/sign-in/mail', { email });
      const after = await count();
      return Object.fromEntries(Object.entries(after).map(([name, n]) => [name, n - before[name]!]));
    };
    expect(await written(ada.email)).toEqual(await written(newEmail()));
  });
});

describe('requests of other sites', () => {
  const sites: [string, Record<string, string>, number][] = [
    ['cross-site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['another host below the same domain', { 'sec-fetch-site': 'same-site' }, 403],
    ['typed into the address bar', { 'sec-fetch-site': 'none' }, 403],
    ['our own page', { 'sec-fetch-site': 'same-origin' }, 204],
  ];
  test.each(sites)('%s', async (_name, headers, status) => {
    const reply = await w.browser().post('/sign-out', undefined, { headers });
    expect(reply.status).toBe(status);
    if (status === 403) expect(reply.body.error.code).toBe('cross_site_request');
  });

  test('without Sec-Fetch-Site, the origin decides', async () => {
    const post = async (headers: Record<string, string>) =>
      (await request(`${w.t.url}/app/api/-/sign-out`, { method: 'POST', headers })).statusCode;
    const { host } = new URL(w.t.url);
    expect(await post({})).toBe(403);
    expect(await post({ origin: 'null' })).toBe(403);
    expect(await post({ origin: 'https://evil.example' })).toBe(403);
    expect(await post({ origin: `http://${host}.evil.example` })).toBe(403);
    expect(await post({ origin: `http://${host}` })).toBe(204);
    expect(await post({ origin: 'http://localhost:0' })).toBe(204); // PUBLIC_URL
  });

  test('a form cannot send JSON, so a body of another type is refused', async () => {
    const body = JSON.stringify({ email: 'a@example.org', password: WRONG });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const reply = await w.browser().post('/sign-in/password', body, { headers: { 'content-type': type } });
      expect(code(reply)).toEqual([415, 'unsupported_media_type']);
    }
  });

  test('no answer allows another origin to read it', async () => {
    const server = createServer((_request, answer) => answer.end()).listen(0);
    await once(server, 'listening');
    const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
    const reply = await w
      .browser()
      .call('GET', '/sign-in', undefined, { headers: { origin, 'sec-fetch-site': 'cross-site' } });
    expect(reply.headers.get('access-control-allow-origin')).toBeNull();
    server.close();
  });
});

describe('session fixation', () => {
  test('a cookie that was there before is ended, and the new session has a new token', async () => {
    const [eve, ada] = [await w.person(), await w.person()];
    const planted = w.browser();
    await planted.signIn(eve.email);
    const token = planted.session!;
    const victim = w.browser();
    victim.cookies.set('turnout_session', token);
    expectSignedIn(await victim.signIn(ada.email));
    expect(victim.session).not.toBe(token);
    expect((await victim.get('/account')).body.email).toBe(ada.email);
    const thief = new Browser(w.t);
    thief.cookies.set('turnout_session', token);
    expect(code(await thief.get('/account'))).toEqual([401, 'sign_in_required']);
  });

  test('a token of the caller’s own making never becomes a session', async () => {
    const ada = await w.person();
    const browser = w.browser();
    const chosen = 'A'.repeat(43);
    browser.cookies.set('turnout_session', chosen);
    browser.cookies.set('turnout_step', chosen);
    expectSignedIn(await browser.signIn(ada.email));
    expect(browser.session).not.toBe(chosen);
    const thief = new Browser(w.t);
    thief.cookies.set('turnout_session', chosen);
    expect((await thief.get('/account')).status).toBe(401);
  });

  test('the step of one browser is of no use without its cookie', async () => {
    const { ada, app } = await withApp();
    const browser = w.browser();
    await browser.signIn(ada.email);
    expect(code(await w.browser().post('/sign-in/second-factor', { code: now(app) }))).toEqual([
      401,
      'sign_in_step_over',
    ]);
  });
});

describe('links, codes and steps of others', () => {
  test('a link of one kind is not one of another kind', async () => {
    const ada = await w.person();
    const browser = w.browser();
    await browser.signIn(ada.email);
    await browser.post('/sign-in/mail', { email: ada.email });
    const signIn = (await w.links(ada.email)).at(-1);
    const to = newEmail();
    await browser.post('/account/email', { email: to });
    const [email] = await w.links(to);
    const not = [404, 'link_not_valid'];
    for (const path of ['/account/email/confirm', '/start/look', '/sign-in/sandbox']) {
      expect(code(await browser.post(path, { token: signIn }))).toEqual(not);
    }
    for (const path of ['/sign-in/link', '/start/look', '/sign-in/sandbox']) {
      expect(code(await browser.post(path, { token: email }))).toEqual(not);
    }
    expectSignedIn(await browser.post('/sign-in/link', { token: signIn }));
  });

  test('a link that was mailed to an address is over when the account has another address', async () => {
    const ada = await w.person();
    const browser = w.browser();
    await browser.signIn(ada.email);
    const to = newEmail();
    await browser.post('/account/email', { email: to });
    await browser.post('/sign-in/mail', { email: ada.email });
    const old = (await w.links(ada.email)).at(-1);
    await browser.post('/account/email/confirm', { token: (await w.links(to)).at(-1) });
    expect(code(await w.browser().post('/sign-in/link', { token: old }))).toEqual([404, 'link_not_valid']);
  });

  test('the recovery code of one account is none of another', async () => {
    const [mine, theirs] = [await withApp(), await withApp()];
    const browser = w.browser();
    await browser.signIn(mine.ada.email);
    const tried = await browser.post('/sign-in/second-factor', { code: theirs.codes[0] });
    expect(code(tried)).toEqual([401, 'second_factor_failed']);
  });

  test('a session of one organization’s member opens no other organization, by code or id', async () => {
    const ada = await w.person({ org: 'acme' });
    const browser = w.browser();
    await browser.signIn(ada.email);
    const id = (
      await w.t.system((tx) => tx.one<{ id: string }>(sql`select id from organizations where code = 'other'`))
    ).id;
    const { toUlid } = await import('../../common/ids.ts');
    const ask = async (org: string) => {
      const answer = await fetch(`${w.t.url}/app/api/${org}/events`, { headers: { cookie: browser.header() } });
      const { error } = (await answer.json()) as { error?: { code: string; message: string } };
      return [answer.status, error?.code, error?.message];
    };
    const nowhere = await ask('no-such-organization');
    expect(nowhere[0]).toBe(404);
    expect(await ask('other')).toEqual(nowhere);
    expect(await ask(toUlid(id))).toEqual(nowhere);
    expect((await ask('acme'))[0]).toBe(200);
  });
});

/** A person with an authenticator app. */
async function withApp(): Promise<{ ada: Person; app: TOTP; codes: string[] }> {
  const ada = await w.person();
  const browser = w.browser();
  await browser.signIn(ada.email);
  const { secret } = (await browser.post('/account/totp')).body;
  const app = new TOTP({ secret: Secret.fromBase32(secret) });
  const codes = (await browser.post('/account/totp/confirm', { code: now(app) })).body.recovery_codes;
  w.t.clock.advance(MINUTE);
  return { ada, app, codes };
}
const now = (app: TOTP) => app.generate({ timestamp: w.t.clock.now().getTime() });

/** Eight browsers of one person that are all asked for the second factor. */
async function eightAsked(ada: Person): Promise<Browser[]> {
  const browsers = Array.from({ length: 8 }, () => w.browser());
  for (const browser of browsers) {
    expect((await browser.signIn(ada.email, PASSWORD)).body.status).toBe('second_factor');
  }
  return browsers;
}

describe('races', () => {
  const won = (statuses: number[]) => statuses.filter((status) => status === 200).length;

  test('one mailed link, used eight times at once, signs in once', async () => {
    const ada = await w.person();
    await w.browser().post('/sign-in/mail', { email: ada.email });
    const [token] = await w.links(ada.email);
    const replies = await Promise.all(Array.from({ length: 8 }, () => w.browser().post('/sign-in/link', { token })));
    expect(won(replies.map((reply) => reply.status))).toBe(1);
    const rows = await w.t.system((tx) => tx.all(sql`select 1 from account_sessions where account_id = ${ada.id}`));
    expect(rows).toHaveLength(1);
  });

  test('one code of the app, given by browsers at once, signs in once', async () => {
    const { ada, app } = await withApp();
    const browsers = (await eightAsked(ada)).slice(0, 4);
    const given = now(app);
    const replies = await Promise.all(browsers.map((one) => one.post('/sign-in/second-factor', { code: given })));
    expect(won(replies.map((reply) => reply.status))).toBe(1);
  });

  test('one recovery code, given by browsers at once, signs in once; different ones all do', async () => {
    const { ada, codes } = await withApp();
    const browsers = await eightAsked(ada);
    const same = browsers.slice(0, 4);
    const replies = await Promise.all(same.map((one) => one.post('/sign-in/second-factor', { code: codes[0] })));
    expect(won(replies.map((reply) => reply.status))).toBe(1);
    const others = browsers.slice(4);
    const apart = await Promise.all(others.map((one, i) => one.post('/sign-in/second-factor', { code: codes[i + 1] })));
    expect(won(apart.map((reply) => reply.status))).toBe(4);
  });

  /** Runs the work in two transactions, each of which waits until the other one has read. */
  async function twoAtOnce(
    read: (tx: Parameters<Parameters<typeof w.t.system>[0]>[0]) => Promise<boolean>,
  ): Promise<number> {
    let readers = 0;
    let go = () => {};
    const both = new Promise<void>((resolve) => {
      go = resolve;
    });
    const one = () =>
      transaction(w.t.pool, w.t.clock, { role: 'system' }, async (tx) => {
        const free = await read(tx);
        readers += 1;
        if (readers === 2) go();
        await Promise.race([both, new Promise((resolve) => setTimeout(resolve, 300))]);
        return free;
      });
    return (await Promise.all([one(), one()])).filter(Boolean).length;
  }

  test('control: a link and a recovery code that are only looked at would work twice', async () => {
    const { ada, codes } = await withApp();
    await w.browser().post('/sign-in/mail', { email: ada.email });
    const [token] = await w.links(ada.email);
    const looked = await twoAtOnce(
      async (tx) =>
        (await tx.maybe(sql`select 1 from account_links where hash = ${hashToken(token!)} and used_at is null`)) !==
        null,
    );
    expect(looked).toBe(2);
    expect(await twoAtOnce(async (tx) => (await takeLink(tx, token!, ['sign_in'])) !== null)).toBe(1);
    const { secrets } = await import('../../../../test/support/secrets.ts');
    expect(await twoAtOnce((tx) => useCode(tx, secrets(), ada.id, codes[0]!))).toBe(1);
  });

  test('a password that is changed while a sign-in with the old one is checked lets nobody in', async () => {
    const ada = await w.person();
    const owner = w.browser();
    await owner.signIn(ada.email);
    const fits = vi.spyOn(Passwords.prototype, 'fits').mockImplementationOnce(async () => {
      expect((await owner.post('/account/password', { password: 'another good one' })).status).toBe(200);
      return true;
    });
    const thief = await w.browser().signIn(ada.email);
    fits.mockRestore();
    expect(code(thief)).toEqual([401, 'sign_in_failed']);
  });
});
