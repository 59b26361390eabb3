import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recording } from '../../../../test/support/statements.ts';
import { LARGE_FORM, SMALL_FORM } from '../../road/request/form-body.ts';
import { ADA, ask, book, type Got, openForm, openPages, type Pages, summaryOf, textOf } from './pages.support.ts';

const SUBMISSIONS = 5;

let x: Pages;
beforeAll(async () => {
  x = await openPages({ env: { FORM_SUBMISSIONS: String(SUBMISSIONS) } });
});
afterAll(() => x.t.stop());

let networks = 0;
/** A visitor of a network that nobody else in these tests has. */
const somebody = (): Record<string, string> => {
  networks += 1;
  return { 'x-forwarded-for': `203.0.113.${networks}` };
};

const isPage = (got: Got) => got.headers['content-type'] === 'text/html; charset=utf-8';

describe('413', () => {
  test.each([
    ['en', 'too large to send'],
    ['de', 'zu groß'],
    ['fr', 'trop volumineux'],
    ['es', 'demasiado grande'],
  ])('a form that is too large is refused by a page in the visitor’s language (%s)', async (language, words) => {
    const got = await x.post('/o/acme/my', 'a&'.repeat(500_000), { ...somebody(), 'accept-language': language });
    expect([got.status, isPage(got)]).toEqual([413, true]);
    expect(textOf(got.text)).toContain(words);
  });

  test('so is one with too many fields, and each address takes what its form needs', async () => {
    const { code } = await x.event();
    const fields = (count: number) => Array.from({ length: count }, (_, i) => `f${i}=`).join('&');
    const send = async (path: string, count: number) => (await x.post(path, fields(count), somebody())).status;
    expect(await send(`/o/acme/${code}/register`, LARGE_FORM.fields + 1)).toBe(413);
    expect(await send(`/o/acme/${code}/register`, LARGE_FORM.fields)).toBe(422);
    expect(await send('/o/acme/my', SMALL_FORM.fields + 1)).toBe(413);
    expect(await send('/o/acme/my', SMALL_FORM.fields)).toBe(422);
    expect(await send('/o/nobody/my', LARGE_FORM.fields)).toBe(413);
  });
});

test('415: a body that is no form is answered by a page that speaks of the form', async () => {
  const headers = { ...somebody(), 'content-type': 'application/json', 'accept-language': 'de' };
  const got = await x.post('/o/acme/my', '{}', headers);
  expect([got.status, isPage(got)]).toEqual([415, true]);
  expect(textOf(got.text)).toContain('Formular');
  expect(got.text).not.toContain('json');
});

test('a page holds no fields that the form of the event does not have', async () => {
  const { code } = await x.event({ questions: [{ code: 'diet', label: 'Diet', kind: 'text' }] });
  const form = (await openForm(x, code)).fill({ ...ADA, 'p0-q-diet': 'vegan' });
  const more = Array.from({ length: 1900 }, (_, i) => `p0-q-x${i}=%22%22%22%22%22%22`).join('&');
  const got = await x.post(form.action, `${form.sent('review')}&${more}`, somebody());
  expect([got.status, got.text.includes('name="p0-q-diet" value="vegan"')]).toEqual([200, true]);
  expect(got.text).not.toContain('p0-q-x');
  const usual = await x.post(form.action, form.sent('review'), somebody());
  expect(got.text.length).toBe(usual.text.length);
});

describe('429', () => {
  test('forms of one network are counted before they are read, and before their organization is looked for', async () => {
    const from = somebody();
    const most = 10 * SUBMISSIONS;
    for (let i = 0; i < most; i += 1) expect((await x.post('/o/nobody/my', 'email=', from)).status).toBe(404);
    const noForm = { ...from, 'content-type': 'application/json', 'accept-language': 'fr' };
    let got!: Got;
    const statements = await recording(async () => {
      got = await x.post('/o/acme/my', 'a&'.repeat(500_000), noForm);
    });
    expect([got.status, isPage(got), Number(got.headers['retry-after']) > 0]).toEqual([429, true, true]);
    expect(textOf(got.text)).toMatch(/Trop de requêtes\. Réessayez dans (une minute|\d+ minutes)\./);
    expect(statements.filter(({ text }) => text.includes('find_organization'))).toEqual([]);
    expect((await x.post('/o/acme/my', 'email=', somebody())).status).toBe(422);
    x.clock.advance(600_000);
    expect((await x.post('/o/acme/my', 'email=', from)).status).toBe(422);
  });

  test('a link may be opened so often, and others go on', async () => {
    const { code } = await x.event();
    const register = async (): Promise<string> => {
      const got = await book(x, await summaryOf(x, code), somebody());
      expect(got.status).toBe(303);
      return got.headers.location!;
    };
    const [mine, other] = [await register(), await register()];
    const open = async (path: string) => (await ask(x.t.url, path, { headers: somebody() })).status;
    for (let i = 0; i < 120; i += 1) expect(await open(mine)).toBe(200);
    expect(await open(mine)).toBe(429);
    expect(await open(other)).toBe(200);
    x.clock.advance(600_000);
    expect(await open(mine)).toBe(200);
  });
});
