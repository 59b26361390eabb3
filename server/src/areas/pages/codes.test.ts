import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { HOUR, MINUTE } from '../../clock.ts';
import { sql } from '../../store/sql.ts';
import { MAX_WRONG_CODES, sweepWrongCodes } from './codes.ts';
import {
  ADA,
  addDiscount,
  ask,
  book,
  byId,
  Form,
  faultsOf,
  type Got,
  openForm,
  openPages,
  type Pages,
  review,
  summaryOf,
  textOf,
} from './pages.support.ts';

let x: Pages;
let second: TestTurnout;
const env = { FORM_SUBMISSIONS: '1000000', PUBLIC_URL: 'https://turnout.example', TRUSTED_PROXIES: '127.0.0.1' };
beforeAll(async () => {
  x = await openPages({ env });
  second = await startTest({ database: x.t.database, clock: x.clock, env });
});
afterAll(async () => {
  await second.stop();
  await x.t.stop();
});

const TYPES = [
  { code: 'adult', name: 'Adult', price_minor: 1000 },
  { code: 'crew', name: 'Crew', price_minor: 400, visible: false },
];
const NOT_VALID = 'This code doesn’t work here. Check the spelling.';

const form = (html: string) => new Form(html, 'register');
/** Sends the form with a code, as its button does. */
async function apply(event: string, code: string, headers: Record<string, string> = {}, query = ''): Promise<Got> {
  const sent = await openForm(x, event, query);
  return x.post(
    sent.action,
    sent
      .fill({ ...ADA })
      .put('code', [code])
      .sent('code'),
    headers,
  );
}
const from = (address: string) => ({ 'x-forwarded-for': address });

describe('a code', () => {
  test('is asked for only where the event has one, folded until something is in it', async () => {
    const { code } = await x.event({ types: TYPES });
    expect((await openForm(x, code)).names).not.toContain('code');
    expect((await x.get(`/o/acme/${code}`)).text).not.toContain('name="code"');
    await addDiscount(x, code);
    x.clock.advance(2000);
    expect((await openForm(x, code)).names).toContain('code');
    expect((await x.get(`/o/acme/${code}`)).text).toContain('<details class="field have-code"><summary>');
    expect((await x.get(`/o/acme/${code}?code=friends25`)).text).toContain('<details class="field have-code" open>');
  });

  test('of a link goes along from the page of the event to the registration, also in a frame', async () => {
    const { code } = await x.event({ types: TYPES });
    await addDiscount(x, code);
    const page = await x.get(`/o/acme/${code}?code=friends%2025&embed=1`);
    expect(textOf(page.text)).toContain('€7.50 instead of €10.00');
    expect(textOf(page.text)).toContain('Code applied: Friends of the house');
    const chosen = new Form(page.text, 'choose');
    const filled = await x.get(`${chosen.action}?${chosen.sent()}`);
    expect([chosen.get('embed'), form(filled.text).get('code')]).toEqual(['1', 'FRIENDS-25']);
    x.clock.advance(2000);
    const got = await x.post(form(filled.text).action, form(filled.text).fill(ADA).sent('review'));
    expect(textOf(got.text)).toContain('€10.00 less €2.50 with FRIENDS-25 €7.50');
    expect(textOf(got.text)).toContain('You save with FRIENDS-25 €2.50 Total €7.50');
    const summary = form(got.text);
    expect([summary.get('code'), summary.get('total')]).toEqual(['FRIENDS-25', '750']);
    expect((await book(x, summary)).status).toBe(303);
    const [made] = await x.registrations(code);
    expect(made).toMatchObject({ discount_code: 'FRIENDS-25', discount_minor: 250, total_minor: 750 });
    for (const { headers } of [page, filled, got]) expect(headers['set-cookie']).toBeUndefined();
  });

  test('is kept by the links to other languages, and back to the event', async () => {
    const { code } = await x.event({ types: TYPES });
    await addDiscount(x, code);
    expect((await x.get(`/o/acme/${code}?code=friends-25`)).text).toContain(
      `/o/acme/${code}?code=FRIENDS-25&amp;lang=de`,
    );
    expect((await apply(code, 'friends-25')).text).toContain(`href="/o/acme/${code}?code=friends-25"`);
  });

  test('reveals types: on the page of the event, in the form, and for one more person', async () => {
    const { code } = await x.event({ types: TYPES });
    const { id } = await x.api('GET', `/events/${code}/attendee-types/crew`);
    await addDiscount(x, code, { code: 'CREW', attendee_types: [], reveals: [id] });
    const page = await x.get(`/o/acme/${code}?code=crew`);
    expect(new Form(page.text, 'choose').names).toContain('n-crew');
    // Without the code, and with one that is none, nobody learns of the type.
    for (const query of ['', '?code=nobody'])
      expect((await x.get(`/o/acme/${code}${query}`)).text).not.toContain('Crew');
    const applied = form((await apply(code, 'crew')).text);
    expect(applied.offered('add-type')).toEqual(['adult', 'crew']);
    const both = form((await x.post(applied.action, applied.fill({ 'add-type': 'crew' }).sent('add'))).text);
    x.clock.advance(2000);
    const summary = await review(x, both.fill({ 'p1-first': 'Byron', 'p1-last': 'King' }));
    expect(summary.get('total')).toBe('1400');
    expect((await book(x, summary)).status).toBe(303);
    // A type that was typed in without its code is none.
    const without = await x.post(both.action, both.put('code', ['']).sent('review'));
    expect([without.status, faultsOf(without.text).title]).toEqual([422, 'This type isn’t offered any more.']);
  });

  test('opens an event of which everything is hidden', async () => {
    const { code } = await x.event({ types: [TYPES[1]!] });
    await addDiscount(x, code, { reveals: ['crew'] });
    const page = await x.get(`/o/acme/${code}`);
    expect(textOf(page.text)).toContain('Enter your code to see what you can register for.');
    expect(new Form(page.text, 'choose').names).toEqual(['code']);
    expect(textOf((await x.get(`/o/acme/${code}?code=friends25`)).text)).toContain('Crew');
  });
});

describe('a code that is not taken', () => {
  test('gets one answer, whatever is wrong with it, and nothing that was typed is lost', async () => {
    const { code } = await x.event({ types: TYPES });
    const { code: other } = await x.event({ types: TYPES });
    await addDiscount(x, code, { code: 'OVER', closes_at: '2029-01-01T00:00:00Z' });
    await addDiscount(x, code, { code: 'LATER', opens_at: '2031-01-01T00:00:00Z' });
    await addDiscount(x, code, { code: 'OFF', active: false });
    await addDiscount(x, code);
    await addDiscount(x, other, { code: 'FOREIGN' });
    const pages: string[] = [];
    for (const typed of ['OVER', 'LATER', 'OFF', 'FOREIGN', 'NOTHING']) {
      const got = await apply(code, typed);
      expect([typed, got.status, faultsOf(got.text).fields]).toEqual([typed, 422, { code: NOT_VALID }]);
      expect(form(got.text).get('c-email')).toBe(ADA['c-email']);
      pages.push(textOf(got.text).replaceAll(typed, ''));
      const shown = await x.get(`/o/acme/${code}?code=${typed}`);
      expect([typed, shown.status, byId(shown.text, 'code-fault')]).toEqual([typed, 200, NOT_VALID]);
    }
    expect(new Set(pages).size).toBe(1);
    x.clock.advance(HOUR);
  });

  test('is said with everything else that is wrong', async () => {
    const { code } = await x.event({
      types: TYPES,
      questions: [{ code: 'diet', label: 'Diet', kind: 'text', required: true }],
    });
    await addDiscount(x, code);
    const sent = (await openForm(x, code)).fill(ADA).put('code', ['nothing']);
    const got = await x.post(sent.action, sent.sent('review'));
    expect(Object.keys(faultsOf(got.text).fields).sort()).toEqual(['code', 'p0-q-diet']);
  });

  test('because it is used up, or for nothing that was chosen, says so', async () => {
    const { code } = await x.event({ types: TYPES });
    await addDiscount(x, code, { code: 'ONCE', max_people: 1 });
    await addDiscount(x, code, { code: 'PAIRS', min_people: 2 });
    const late = await summaryOf(x, code, { code: 'once', 'c-email': 'eve@example.org' });
    expect((await book(x, await summaryOf(x, code, { code: 'once' }))).status).toBe(303);
    x.clock.advance(2000);
    const got = await book(x, late);
    const usedUp = 'This code has been used as often as it can be.';
    expect([got.status, faultsOf(got.text).fields]).toEqual([409, { code: usedUp }]);
    expect(form(got.text).get('c-email')).toBe('eve@example.org');
    for (const [typed, said] of [
      ['once', usedUp],
      ['pairs', 'This code doesn’t apply to what was chosen.'],
    ] as const) {
      const sent = (await openForm(x, code)).fill({ ...ADA, code: typed });
      expect(faultsOf((await x.post(sent.action, sent.sent('review'))).text).fields).toEqual({ code: said });
    }
  });

  test('a form that is sent twice with the last use of a code registers once', async () => {
    const { code } = await x.event({ types: TYPES });
    await addDiscount(x, code, { code: 'ONCE', max_people: 1 });
    const summary = await summaryOf(x, code, { code: 'once' });
    const [first, again] = [await book(x, summary), await book(x, summary)];
    expect([first.status, again.status, again.headers.location]).toEqual([303, 303, first.headers.location]);
  });

  test('a code that stops between the summary and the button: the form comes back with everything in it', async () => {
    const { code } = await x.event({ types: TYPES });
    const { id } = await addDiscount(x, code);
    const summary = await summaryOf(x, code, { code: 'friends-25' });
    await x.api('PATCH', `/events/${code}/discounts/${id}`, { active: false });
    const got = await book(x, summary);
    expect([got.status, faultsOf(got.text).fields]).toEqual([422, { code: NOT_VALID }]);
    expect(form(got.text).get('c-email')).toBe(ADA['c-email']);
  });
});

describe('guessing codes', () => {
  const WAIT = 'Too many wrong codes came from your network. Try again in 60 minutes, or continue without a code.';
  const wrong = (event: string, times: number, address: string) =>
    Promise.all(Array.from({ length: times }, (_, i) => apply(event, `guess${i}`, from(address))));
  const rows = () => x.t.system((tx) => tx.all(sql`select network, wrong from wrong_codes`));

  test('after twenty wrong codes of a network every code is refused until the hour is over', async () => {
    const { code } = await x.event({ types: TYPES });
    await addDiscount(x, code);
    const address = '203.0.113.7';
    for (const got of await wrong(code, MAX_WRONG_CODES, address)) expect(got.status).toBe(422);
    const refused = await apply(code, 'friends-25', from(address));
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '3600']);
    expect(faultsOf(refused.text).fields).toEqual({ code: WAIT });
    expect(form(refused.text).get('c-email')).toBe(ADA['c-email']);
    const shown = await x.get(`/o/acme/${code}?code=friends-25`, from(address));
    expect([shown.status, shown.headers['retry-after']]).toEqual([429, '3600']);
    // The controls: other networks, other events, and whoever goes on without a code.
    expect((await apply(code, 'friends-25', from('203.0.113.8'))).status).toBe(200);
    const { code: other } = await x.event({ types: TYPES });
    await addDiscount(x, other);
    expect((await apply(other, 'friends-25', from(address))).status).toBe(200);
    expect(
      (await x.post(`/o/acme/${code}/register`, (await openForm(x, code)).fill(ADA).sent('review'), from(address)))
        .status,
    ).toBe(200);
    x.clock.advance(HOUR - MINUTE);
    expect((await apply(code, 'friends-25', from(address))).headers['retry-after']).toBe('60');
    x.clock.advance(MINUTE);
    expect((await apply(code, 'friends-25', from(address))).status).toBe(200);
  });

  test('nineteen wrong codes are no hindrance, and right ones do not count', async () => {
    const { code } = await x.event({ types: TYPES });
    await addDiscount(x, code);
    const address = '203.0.113.9';
    await wrong(code, MAX_WRONG_CODES - 1, address);
    for (let i = 0; i < 5; i += 1) expect((await apply(code, 'friends-25', from(address))).status).toBe(200);
    expect((await apply(code, 'x', from(address))).status).toBe(422);
    expect((await apply(code, 'friends-25', from(address))).status).toBe(429);
  });

  test('many at once, in two processes, are answered no more often; one IPv6 network is one', async () => {
    const { code } = await x.event({ types: TYPES });
    await addDiscount(x, code);
    const open = await openForm(x, code);
    const guess = (i: number) =>
      ask(i % 2 === 0 ? x.t.url : second.url, open.action, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': `2001:db8::${i + 1}` },
        body: String(
          new Form(`<form class="register" action="">${''}</form>`, 'register')
            .put('code', [`guess${i}`])
            .put('do', ['code'])
            .sent(),
        ),
      });
    const statuses = (await Promise.all(Array.from({ length: 60 }, (_, i) => guess(i)))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 422)).toHaveLength(MAX_WRONG_CODES);
    expect(statuses.filter((status) => status === 429)).toHaveLength(60 - MAX_WRONG_CODES);
  });

  test('is kept as a keyed hash, in one row for a network, and forgotten after the hour', async () => {
    x.clock.advance(2 * HOUR);
    await sweepWrongCodes({ pool: x.t.pool, clock: x.clock });
    expect(await rows()).toEqual([]);
    const { code } = await x.event({ types: TYPES });
    await addDiscount(x, code);
    await wrong(code, 30, '203.0.113.10');
    const kept = await rows();
    expect(kept).toEqual([{ network: expect.stringMatching(/^[0-9a-f]{32}$/), wrong: MAX_WRONG_CODES }]);
    x.clock.advance(HOUR - 1);
    await sweepWrongCodes({ pool: x.t.pool, clock: x.clock });
    expect(await rows()).toEqual(kept);
    x.clock.advance(1);
    await sweepWrongCodes({ pool: x.t.pool, clock: x.clock });
    expect(await rows()).toEqual([]);
  });
});
