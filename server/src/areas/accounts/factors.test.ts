import { argon2Sync, randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MINUTE } from '../../clock.ts';
import { sql } from '../../store/sql.ts';
import {
  type AccountWorld,
  accountWorld,
  type Browser,
  code,
  expectSignedIn,
  PASSWORD,
  type Person,
} from './accounts.support.ts';
import { isCommon } from './common-passwords.ts';
import { Passwords } from './passwords.ts';
import { Queue } from './queue.ts';
import { base32, codeOf, newTotpSecret, stepAt, stepOf, totpUri } from './totp.ts';

let w: AccountWorld;
beforeAll(async () => {
  w = await accountWorld();
  await w.t.org('acme');
});
afterAll(() => w.t.stop());

describe('codes of an authenticator app', () => {
  test('are those of RFC 6238', () => {
    const secret = Buffer.from('12345678901234567890');
    const eight = [
      [59, '94287082'],
      [1111111109, '07081804'],
      [1111111111, '14050471'],
      [1234567890, '89005924'],
      [2000000000, '69279037'],
      [20000000000, '65353130'],
    ] as const;
    for (const [seconds, digits] of eight) {
      expect(codeOf(secret, stepAt(new Date(seconds * 1000)))).toBe(digits.slice(2));
    }
  });

  test('are the same as those of another implementation, also from the address in the QR code', async () => {
    const { URI } = await import('otpauth');
    for (let i = 0; i < 200; i += 1) {
      const secret = newTotpSecret();
      const at = new Date(Math.floor(Math.random() * 4e12));
      const peer = new TOTP({ secret: Secret.fromBase32(base32(secret)) });
      expect(codeOf(secret, stepAt(at))).toBe(peer.generate({ timestamp: at.getTime() }));
      const read = URI.parse(totpUri(secret, `a+${i}@example.org`, 'Turnout')) as TOTP;
      expect(read.generate({ timestamp: at.getTime() })).toBe(codeOf(secret, stepAt(at)));
    }
  });

  test('are accepted one step early or late, and not two', () => {
    const secret = newTotpSecret();
    const at = new Date('2026-11-16T12:00:10Z');
    const now = stepAt(at);
    const found = [-2, -1, 0, 1, 2].map((by) => stepOf(secret, codeOf(secret, now + by), at));
    expect(found).toEqual([null, now - 1, now, now + 1, null]);
  });
});

describe('hashes of passwords', () => {
  test('are computed a few at a time; whoever comes when too many wait is refused', async () => {
    const queue = new Queue({ atOnce: 2, waiting: 4 });
    const passwords = new Passwords({ queue });
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => passwords.fits(PASSWORD, null)));
    expect(queue.mostRunning).toBe(2);
    expect(passwords.computed).toBe(6);
    const refused = results.filter((one) => one.status === 'rejected');
    expect(refused.map((one) => one.reason.code)).toEqual(Array(4).fill('unavailable'));
    expect(await passwords.fits(PASSWORD, await passwords.hash(PASSWORD))).toBe(true);
  });

  test('leave a processor to everything else', async () => {
    const queue = new Queue();
    const passwords = new Passwords({ queue });
    await Promise.all(Array.from({ length: 6 }, () => passwords.fits(PASSWORD, null)));
    expect(queue.mostRunning).toBeLessThanOrEqual(Math.max(1, availableParallelism() - 1));
  });

  test('carry their parameters, differ for the same password, and fit no other', async () => {
    const passwords = new Passwords();
    const [one, two] = [await passwords.hash(PASSWORD), await passwords.hash(PASSWORD)];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(one).not.toBe(two);
    expect(await passwords.fits(`${PASSWORD} `, one)).toBe(false);
  });

  test('are those of another implementation', async () => {
    // From the Python package argon2-cffi 25.1: PasswordHasher(time_cost=2, memory_cost=19456, parallelism=1).hash(PASSWORD)
    const hash = '$argon2id$v=19$m=19456,t=2,p=1$Bmp/NIM4s5tK2UqLungErw$KNSUmXfNfQeP2Lo0b8hEOQslMsAoS+ovj0MXj5TN2aU';
    expect(await new Passwords().fits(PASSWORD, hash)).toBe(true);
  });
});

describe('a hash whose cost is not the present one', () => {
  /** Half of the memory and one pass: what an earlier version may have stored. */
  const older = (password: string): string => {
    const nonce = randomBytes(16);
    const tag = argon2Sync('argon2id', {
      message: Buffer.from(password),
      nonce,
      memory: 9728,
      passes: 1,
      parallelism: 1,
      tagLength: 32,
    });
    const text = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
    return `$argon2id$v=19$m=9728,t=1,p=1$${text(nonce)}$${text(tag)}`;
  };
  const PRESENT = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;
  const withOlder = async () => {
    const ada = await w.person();
    const hash = older(PASSWORD);
    await w.t.system((tx) => tx.run(sql`update accounts set password_hash = ${hash} where id = ${ada.id}`));
    return { ada, hash };
  };
  const kept = ({ id }: Pick<Person, 'id'>) =>
    w.t.system((tx) =>
      tx.one<{ hash: string; updated_at: string }>(
        sql`select password_hash as hash, updated_at from accounts where id = ${id}`,
      ),
    );

  test('is renewed when its owner signs in, once, and fits as before', async () => {
    const { ada, hash } = await withOlder();
    const before = await kept(ada);
    expect(before.hash).toBe(hash);
    expectSignedIn(await w.browser().signIn(ada.email));
    const renewed = await kept(ada);
    expect(renewed.hash).toMatch(PRESENT);
    // The password is the same, so nothing of the account has changed.
    expect(renewed.updated_at).toBe(before.updated_at);
    expectSignedIn(await w.browser().signIn(ada.email));
    expect((await kept(ada)).hash).toBe(renewed.hash);
    expect(code(await w.browser().signIn(ada.email, 'not her password'))).toEqual([401, 'sign_in_failed']);
  });

  test('stays when the password was wrong', async () => {
    const { ada, hash } = await withOlder();
    expect(code(await w.browser().signIn(ada.email, 'not her password'))).toEqual([401, 'sign_in_failed']);
    expect((await kept(ada)).hash).toBe(hash);
  });

  test('of two sign-ins at once, the one that comes second enters as well', async () => {
    const { ada } = await withOlder();
    const replies = await Promise.all(Array.from({ length: 4 }, () => w.browser().signIn(ada.email)));
    for (const reply of replies) expectSignedIn(reply);
    expect((await kept(ada)).hash).toMatch(PRESENT);
  });

  test('stays when too many wait, and the sign-in succeeds all the same', async () => {
    const queue = new Queue({ atOnce: 1, waiting: 0 });
    const passwords = new Passwords({ queue });
    const hash = older(PASSWORD);
    const other = passwords.hash(PASSWORD);
    expect(await passwords.renewed(PASSWORD, hash)).toBeNull();
    await other;
    expect(await passwords.renewed(PASSWORD, hash)).toMatch(PRESENT);
    expect(await passwords.renewed(PASSWORD, await other)).toBeNull();
  });
});

test('a door does not wait behind everybody who signs in', async () => {
  const queue = new Queue({ atOnce: 1, waiting: 100 });
  const done: string[] = [];
  const run = (line: 'sign-in' | 'door', name: string) =>
    queue.run(line, async () => {
      await Promise.resolve();
      done.push(name);
    });
  const signIns = Array.from({ length: 50 }, (_, i) => run('sign-in', `sign-in ${i}`));
  const doors = Array.from({ length: 2 }, (_, i) => run('door', `door ${i}`));
  await Promise.all([...signIns, ...doors]);
  expect(done.slice(0, 5)).toEqual(['sign-in 0', 'door 0', 'sign-in 1', 'door 1', 'sign-in 2']);
  expect(done).toHaveLength(52);
  expect(queue.mostRunning).toBe(1);
});

test('a hash that fails leaves its place to the next one', async () => {
  const queue = new Queue({ atOnce: 1 });
  const failing = queue.run('sign-in', () => Promise.reject(new Error('no memory')));
  const next = queue.run('sign-in', async () => 'computed');
  await expect(failing).rejects.toThrow('no memory');
  expect(await next).toBe('computed');
});

describe('a new password', () => {
  test.each([
    'passwordpassword',
    'Password123456!',
    'P4ssw0rd123456',
    'qwertyuiop123',
    'qwertzuiop12345',
    '123456789012',
    'aaaaaaaaaaaaaa',
    'abcabcabcabcabc',
    '1q2w3e4r5t6y7u',
    'iloveyou123456',
    'letmein-please!!',
    'Welcome2Welcome',
    'motdepasse1234',
    'Passwort2026!!',
    'abcdefghijklmnop',
    'qazwsxqazwsx1!',
  ])('%s is one of the most common ones', (password) => expect(isCommon(password)).toBe(true));

  test.each([
    PASSWORD,
    'tr0ub4dor-and-three',
    'Vxk3pQ9zLw2m',
    'my dog ate the blue sofa',
    'sonne mond und sterne',
    'kaffee um halb acht',
    'zwölf Boxkämpfer jagen',
    '8fj2-kd83-qpz1',
  ])('%s is not', (password) => expect(isCommon(password)).toBe(false));

  test('has at least 12 characters and at most 1000 bytes', async () => {
    const ada = await w.person();
    const browser = w.browser();
    await browser.signIn(ada.email);
    for (const password of ['elevenchars', 'ﷺ'.repeat(999), 'password12345', '']) {
      const reply = await browser.post('/account/password', { password });
      expect(code(reply)).toEqual([400, 'validation_failed']);
      expect(reply.body.error.details[0].path).toBe('password');
    }
    expect((await browser.post('/account/password', { password: 'twelve chars' })).status).toBe(200);
  });

  test('ends all other sessions, mailed links and sign-ins that are under way', async () => {
    const ada = await w.person();
    const [here, there] = [w.browser(), w.browser()];
    await here.signIn(ada.email);
    await there.signIn(ada.email);
    await here.post('/sign-in/mail', { email: ada.email });
    const [token] = await w.links(ada.email);
    const reply = await here.post('/account/password', { password: 'another good one' });
    expect(reply.body).toMatchObject({ has_password: true });
    expect([(await here.get('/account')).status, (await there.get('/account')).status]).toEqual([200, 401]);
    expect(code(await there.post('/sign-in/link', { token }))).toEqual([404, 'link_not_valid']);
    expect(code(await there.signIn(ada.email))).toEqual([401, 'sign_in_failed']);
    expectSignedIn(await there.signIn(ada.email, 'another good one'));
    expect(await w.audited(ada)).toContain('account.password_set');
  });

  test('needs a proof of the last ten minutes', async () => {
    const ada = await w.person();
    const browser = w.browser();
    await browser.signIn(ada.email);
    w.t.clock.advance(10 * MINUTE);
    const set = () => browser.post('/account/password', { password: 'another good one' });
    expect(code(await set())).toEqual([403, 'sign_in_again']);
    await browser.signIn(ada.email);
    expect((await set()).status).toBe(200);
  });
});

/** Sets up an authenticator app and returns it, with the recovery codes. */
async function withApp(browser: Browser): Promise<{ app: TOTP; codes: string[] }> {
  const offer = (await browser.post('/account/totp')).body;
  const app = new TOTP({ secret: Secret.fromBase32(offer.secret) });
  const done = await browser.post('/account/totp/confirm', { code: now(app) });
  expect(done.status).toBe(200);
  return { app, codes: done.body.recovery_codes };
}
const now = (app: TOTP) => app.generate({ timestamp: w.t.clock.now().getTime() });

/** A person with an authenticator app, and a browser that has given the password and is asked for a code. */
async function atSecondFactor(): Promise<{
  ada: Person;
  app: TOTP;
  codes: string[];
  browser: Browser;
  first: Browser;
}> {
  const ada = await w.person();
  const first = w.browser();
  await first.signIn(ada.email);
  const { app, codes } = await withApp(first);
  w.t.clock.advance(MINUTE);
  const browser = w.browser();
  expect((await browser.signIn(ada.email)).body.status).toBe('second_factor');
  return { ada, app, codes, browser, first };
}
const give = (browser: Browser, given: string) => browser.post('/sign-in/second-factor', { code: given });

describe('an authenticator app', () => {
  test('is set up with a code; then the session counts as one with a second factor, and the others end', async () => {
    const ada = await w.person();
    const [here, there] = [w.browser(), w.browser()];
    await here.signIn(ada.email);
    await there.signIn(ada.email);
    const offer = (await here.post('/account/totp')).body;
    expect(offer.uri).toContain(`secret=${offer.secret}`);
    expect(offer.qr).toMatch(/^M\d+ \d+h\d+v1h-\d+z/);
    expect(code(await here.post('/account/totp/confirm', { code: '000000' }))).toEqual([401, 'second_factor_failed']);
    expect((await here.get('/account')).body.totp).toBe(false);
    const app = new TOTP({ secret: Secret.fromBase32(offer.secret) });
    const { recovery_codes } = (await here.post('/account/totp/confirm', { code: now(app) })).body;
    expect(new Set(recovery_codes).size).toBe(10);
    expect((await here.get('/account')).body).toMatchObject({
      totp: true,
      recovery_codes_left: 10,
      session: { second_factor: true },
    });
    expect((await there.get('/account')).status).toBe(401);
    const [row] = await w.t.system((tx) =>
      tx.all<{ totp_secret: Buffer }>(sql`select totp_secret from accounts where id = ${ada.id}`),
    );
    expect(base32(row!.totp_secret)).not.toContain(offer.secret);
  });

  test('is asked for after the password; each code works once', async () => {
    const { ada, app, browser } = await atSecondFactor();
    expect((await browser.get('/account')).status).toBe(401);
    const used = now(app);
    expectSignedIn(await give(browser, `${used.slice(0, 3)} ${used.slice(3)}`));
    expect((await browser.get('/account')).body.session).toMatchObject({ method: 'password', second_factor: true });
    const again = w.browser();
    await again.signIn(ada.email);
    expect(code(await give(again, used))).toEqual([401, 'second_factor_failed']);
    w.t.clock.advance(MINUTE);
    expectSignedIn(await give(again, now(app)));
  });

  test('is asked for after a mailed link, too', async () => {
    const { ada, app } = await atSecondFactor();
    const browser = w.browser();
    await browser.post('/sign-in/mail', { email: ada.email });
    const reply = await browser.post('/sign-in/link', { token: (await w.links(ada.email)).at(-1) });
    expect(reply.body.status).toBe('second_factor');
    expectSignedIn(await give(browser, now(app)));
    expect((await browser.get('/account')).body.session).toMatchObject({ method: 'mail', second_factor: true });
  });

  test('after five wrong codes, or ten minutes, one begins again', async () => {
    const { ada, app, browser } = await atSecondFactor();
    for (let i = 0; i < 5; i += 1) expect(code(await give(browser, '000000'))).toEqual([401, 'second_factor_failed']);
    expect(code(await give(browser, now(app)))).toEqual([401, 'sign_in_step_over']);
    w.t.clock.advance(20 * MINUTE);
    await browser.signIn(ada.email);
    w.t.clock.advance(10 * MINUTE);
    expect(code(await give(browser, now(app)))).toEqual([401, 'sign_in_step_over']);
    expect(await w.audited(ada)).toContain('account.sign_in_failed');
  });

  test('wrong codes are throttled for the account, whatever browser they come from; the owner’s browser is not', async () => {
    const { ada, app, first } = await atSecondFactor();
    for (let i = 0; i < 5; i += 1) {
      const thief = w.browser();
      await thief.signIn(ada.email);
      expect(code(await give(thief, '000000'))).toEqual([401, 'second_factor_failed']);
    }
    const thief = w.browser();
    await thief.signIn(ada.email);
    const refused = await give(thief, '000000');
    expect(code(refused)).toEqual([429, 'sign_in_throttled']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await first.post('/sign-out');
    await first.signIn(ada.email);
    expectSignedIn(await give(first, now(app)));
  });

  test('a recovery code works once, in any spelling', async () => {
    const { ada, codes, browser } = await atSecondFactor();
    expectSignedIn(await give(browser, ` ${codes[3]!.toLowerCase().replace('-', ' ')} `));
    expect((await browser.get('/account')).body.recovery_codes_left).toBe(9);
    const again = w.browser();
    await again.signIn(ada.email);
    expect(code(await give(again, codes[3]!))).toEqual([401, 'second_factor_failed']);
    expectSignedIn(await give(again, codes[4]!));
  });

  test('new recovery codes replace the old ones', async () => {
    const { ada, codes, browser, first } = await atSecondFactor();
    const { recovery_codes: fresh } = (await first.post('/account/recovery-codes')).body;
    expect(code(await give(browser, codes[0]!))).toEqual([401, 'second_factor_failed']);
    expectSignedIn(await give(browser, fresh[0]));
    const bare = w.browser();
    await bare.signIn((await w.person()).email);
    expect(code(await bare.post('/account/recovery-codes'))).toEqual([409, 'invalid_state']);
    expect(await w.audited(ada)).toContain('account.recovery_codes_renewed');
  });

  test('is removed; then the password is enough again, and no session counts as having a second factor', async () => {
    const { ada, codes, first } = await atSecondFactor();
    expect((await first.call('DELETE', '/account/totp')).status).toBe(204);
    expect((await first.get('/account')).body).toMatchObject({
      totp: false,
      recovery_codes_left: 0,
      session: { second_factor: false },
    });
    const browser = w.browser();
    expectSignedIn(await browser.signIn(ada.email));
    expect(code(await give(browser, codes[0]!))).toEqual([401, 'sign_in_step_over']);
    expect((await first.call('DELETE', '/account/totp')).status).toBe(204);
    expect((await w.audited(ada)).filter((action) => action === 'account.totp_removed')).toHaveLength(1);
  });

  test('of another account cannot be confirmed with this browser’s step', async () => {
    const [ada, eve] = [await w.person(), await w.person()];
    const browser = w.browser();
    await browser.signIn(eve.email);
    const offer = (await browser.post('/account/totp')).body;
    const step = browser.cookies.get('turnout_step')!;
    const hers = w.browser();
    await hers.signIn(ada.email);
    hers.cookies.set('turnout_step', step);
    const app = new TOTP({ secret: Secret.fromBase32(offer.secret) });
    expect(code(await hers.post('/account/totp/confirm', { code: now(app) }))).toEqual([401, 'sign_in_step_over']);
  });
});

describe('an organization that requires a second factor', () => {
  test('is closed to sessions without one from the next request on', async () => {
    await w.t.org('strict');
    const ada = await w.person({ org: 'strict' });
    const browser = w.browser();
    await browser.signIn(ada.email);
    const me = async () => {
      const answer = await fetch(`${w.t.url}/app/api/strict/me`, { headers: { cookie: browser.header() } });
      return [answer.status, ((await answer.json()) as { error?: { code: string } }).error?.code];
    };
    expect(await me()).toEqual([200, undefined]);
    await w.t.system((tx) => tx.run(sql`update organizations set require_second_factor = true where code = 'strict'`));
    expect(await me()).toEqual([403, 'second_factor_required']);
    expect((await browser.get('/account')).body.organizations[0].second_factor_missing).toBe(true);
    await withApp(browser);
    expect(await me()).toEqual([200, undefined]);
  });
});
