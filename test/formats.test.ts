import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Sessions } from '../server/src/agents/sessions.ts';
import { Cookies } from '../server/src/areas/accounts/cookies.ts';
import { knownBrowser } from '../server/src/areas/accounts/known-browser.ts';
import { readToken } from '../server/src/areas/pages/form-token.ts';
import type { Id } from '../server/src/common/ids.ts';
import { Secrets } from '../server/src/common/secrets.ts';
import { Links } from '../server/src/road/for-areas/links.ts';
import { SESSION_COOKIE } from '../server/src/road/gate/identify.ts';
import { HeldClock } from './support/clock.ts';
import { ROOT } from './support/running.ts';
import { startTest, type TestTurnout } from './support/turnout.ts';

/**
 * What others keep and give back to the server: in mails, cookies and programs. What was given out once is understood for ever, and what
 * a later version has given out is refused, never misread (docs/internals/formats.md).
 */

interface Signed {
  secret: string;
  now: string;
  ids: Record<'org' | 'event' | 'registration' | 'attendee' | 'key' | 'account', Id>;
  email: string;
  links: Record<string, { opens: object; url: string }>;
  manage: Record<'registration' | 'attendee', Record<'mailed' | 'shown', string>>;
  form: { opened: number; token: string };
  agent_session: { name: string; id: string };
  known_browsers: string;
  encrypted: { plain: string; base64: string };
}
const kept = <T>(name: string): T => JSON.parse(readFileSync(join(ROOT, 'test/fixtures/formats', name), 'utf8')) as T;
/** As a later format would look: the number and a dot before what is understood today. */
const ofFormat2 = (text: string): string => `2.${text}`;

describe('signed by a server of format 1', () => {
  const signed = kept<Signed>('signed-1.json');
  const { org, event, registration, attendee, key, account } = signed.ids;
  const secrets = new Secrets(Buffer.from(signed.secret, 'hex'));
  const clock = new HeldClock(Date.parse(signed.now));
  const links = new Links(secrets, clock, 'https://turnout.example');

  test.each(Object.entries(signed.links))('a link to %s', (kind, { opens, url }) => {
    const token = url.split('/').at(-1)!;
    expect(links.open(kind, token)).toEqual(opens);
    expect(links.open(kind, ofFormat2(token))).toBeNull();
    expect(links.open(kind, `${token}.more`)).toBeNull();
  });

  test.each(['registration', 'attendee'] as const)('a link to manage one %s', (of) => {
    const named = { registration, attendee: of === 'attendee' ? attendee : null };
    for (const way of ['mailed', 'shown'] as const) {
      const token = signed.manage[of][way];
      expect(links.readManage(token)).toEqual(named);
      expect(links.wayOf(token, { ...named, org, email: signed.email })).toBe(way);
      expect(links.readManage(ofFormat2(token))).toBeNull();
    }
  });

  test('the token of a form', () => {
    expect(readToken(secrets, event, signed.form.token)?.opened).toBe(signed.form.opened);
    expect(readToken(secrets, event, ofFormat2(signed.form.token))).toBeNull();
  });

  test('the session of an agent', () => {
    const sessions = new Sessions(secrets, clock);
    expect(sessions.read(signed.agent_session.id, key)).toBe(signed.agent_session.name);
    expect(sessions.read(ofFormat2(signed.agent_session.id), key)).toBeNull();
  });

  test('the cookie that knows who has signed in with a browser', () => {
    const known = (cookie: string) => knownBrowser({ secrets, cookies: { known: cookie } } as never, account);
    expect(known(signed.known_browsers)).toBe(signed.known_browsers.split('.')[1]);
    expect(known(ofFormat2(signed.known_browsers))).toBeNull();
    // One of a later format beside it is passed over.
    expect(known(`${ofFormat2('x.y.z')}~${signed.known_browsers}`)).not.toBeNull();
  });

  test('what is encrypted in the database', () => {
    expect(secrets.decrypt(Buffer.from(signed.encrypted.base64, 'base64')).toString()).toBe(signed.encrypted.plain);
  });
});

describe('a server that is asked with', () => {
  const cursors = kept<Record<string, string>>('cursors-1.json');
  const signed = kept<Signed>('signed-1.json');
  let t: TestTurnout;
  let key: string;
  beforeAll(async () => {
    t = await startTest();
    await t.org('acme');
    key = (await t.key('acme')).secret;
  });
  afterAll(() => t.stop());

  test.each(Object.entries(cursors))(
    'a cursor of %s that an earlier version gave out goes on',
    async (path, cursor) => {
      const ask = (text: string) => t.call('GET', `${path}${path.includes('?') ? '&' : '?'}cursor=${text}`, { key });
      expect((await ask(cursor)).status).toBe(200);
      const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
      const later = await ask(Buffer.from(JSON.stringify([2, ...parts])).toString('base64url'));
      expect([later.status, later.body.error.code]).toEqual([400, 'validation_failed']);
      expect(JSON.stringify(later.body)).toContain('begin again with the first page');
    },
  );

  test('the session cookie of a later format says that nobody is signed in', async () => {
    const session = await t.session('acme', 'owner');
    const me = (cookie: string) =>
      t.call('GET', '/app/api/groups', { org: 'acme', headers: { cookie: `${SESSION_COOKIE}=${cookie}` } });
    expect((await me(session)).status).toBe(200);
    expect((await me(ofFormat2(session))).status).toBe(401);
    const headers = { cookie: `${SESSION_COOKIE}=${ofFormat2(session)}` };
    expect(new Cookies({ headers }, {} as never, false).session).toBeUndefined();
  });

  test.each(Object.keys(signed.links))('a link to %s of a later format says that it does not work', async (kind) => {
    const path = new URL(signed.links[kind]!.url).pathname;
    const later = await fetch(`${t.url}${path.replace(`/${kind}/`, `/${kind}/2.`)}`);
    expect(later.status).toBe(404);
  });
});
