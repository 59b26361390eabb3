import type { Page } from 'playwright-core';
import { choose, inDialog, press, REQUEST, refusal, type Screen, said } from './screen.ts';
import type { ScreensWorld } from './world.ts';

const ROWS = [
  'Vorname;Nachname;E-Mail;Ticketart;Tage;diet;Sitzplatzreservierungsnummer;',
  'Ada;Lovelace;ada@example.org;adult;d1;Vegan;A 1;x',
  'شهرزاد;القصص;s@example.org;adult;d1;Vegan;A 2;',
  'Kit;Lovelace;kit at example.org;adult;d1;Vegan;A 3;',
  'Wolfgang;Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewis;w@example.org;Rindfleischetikettierung;d1;Vegan;A 4;',
  ';;;;;;;',
];

/** Payments, messages, imports, exports and the address book. */
export const fileScreens = (world: ScreensWorld): Screen[] => [
  ...paymentScreens(world),
  ...messageScreens(world),
  ...importScreens(world),
  ...exportScreens(world),
  ...contactScreens(world),
];

function paymentScreens({ people, fair }: ScreensWorld): Screen[] {
  const on = (name: string, search: string, more: Partial<Screen> = {}): Screen => ({
    ...{ name: `payment: ${name}`, as: 'owner', path: `${fair.event}/money${search}` },
    ...more,
  });
  return [
    on('list', ''),
    on('none matches', '?status=failed&method=card&from=2020-01-01'),
    { name: 'payment: none yet', as: 'owner', path: `${people.empty}/money` },
    on('one', `?payment=${fair.payment}`),
    on('record for somebody who owes it', '?record=yes', {
      act: async (page) => {
        await page.locator('.pick button').first().click();
        await inDialog(page).getByLabel('Amount').fill('much');
        await inDialog(page).getByRole('button', { name: 'Record payment' }).click();
        await said(page, /Enter an amount such as/);
      },
    }),
    on('refund refused', '', {
      answers: { 'POST /refund': refusal(409, 'invalid_state') },
      act: async (page) => {
        await choose(page, /^Actions for/, 'Refund');
        await inDialog(page).getByRole('radio').first().check();
        await inDialog(page).getByRole('button', { name: 'Refund' }).click();
        await page.getByRole('alert').waitFor();
      },
    }),
  ];
}

function messageScreens({ people, fair }: ScreensWorld): Screen[] {
  const on =
    (path: string) =>
    (name: string, more: Partial<Screen> = {}) =>
      ({ name: `message: ${name}`, as: 'owner', path: `${fair.event}/messages${path}`, ...more }) satisfies Screen;
  const [list, draft, sent] = [on(''), on(`/${fair.draft}`), on(`/${fair.sent}`)];
  const counts = { recipients: 1_234_567, queued: 345_678, sent: 876_543, failed: 12_345, skipped: 1 };
  return [
    list('list', {
      answers: {
        'GET /communications': (real) => ({
          ...real,
          data: real.data.map((one: { id: string }) =>
            one.id === fair.sent ? { ...one, status: 'sending', counts } : one,
          ),
        }),
      },
    }),
    { name: 'message: none yet', as: 'owner', path: `${people.empty}/messages` },
    on('/new')('new', { act: (page) => page.getByRole('button', { name: 'Insert placeholder' }).click() }),
    draft('draft', { act: (page) => said(page, /^Reaches/) }),
    draft('draft with a fault', {
      act: async (page) => {
        await page.getByLabel('Subject').fill('Doors open at {{nine}}');
        await said(page, /is not a placeholder/);
      },
    }),
    draft('send', { act: (page) => press(page, 'Send …').then(() => inDialog(page).getByLabel('Later').check()) }),
    sent('one that is being sent', {
      answers: {
        [`GET /communications/${fair.sent}`]: (real) => ({
          ...{ ...real, status: 'sending', counts, started_at: '2026-11-15T08:00:00Z', finished_at: null },
          progress: { done: 888_889, total: counts.recipients },
        }),
      },
    }),
    on('/01980000-0000-7000-8000-000000000000')('not found'),
  ];
}

function importScreens({ fair }: ScreensWorld): Screen[] {
  const at = `${fair.event}/people/import`;
  const on = (name: string, path: string, more: Partial<Screen> = {}): Screen => ({
    ...{ name: `import: ${name}`, as: 'owner', path: at + path },
    ...more,
  });
  const given = async (page: Page, rows = ROWS) => {
    const file = { name: 'Teilnehmerliste der Geschäftsstelle, Stand November.csv', mimeType: 'text/csv' };
    await page.getByLabel('CSV file').setInputFiles({ ...file, buffer: Buffer.from(rows.join('\r\n')) });
  };
  const columns = async (page: Page) => {
    await given(page);
    await page.waitForURL(/step=columns/);
    await page.getByLabel('Use column Vorname as', { exact: true }).waitFor();
  };
  const connection = {
    ...{ id: REQUEST, platform: 'eventbrite', created_at: '2026-11-15T08:00:00Z', updated_at: '2026-11-15T08:00:00Z' },
    account: {
      name: 'Gesellschaft für Veranstaltungsdurchführung',
      email: 'a.very.long.address@subdomain.example.org',
    },
  };
  const source = (id: number, name: string) => ({
    ...{
      id: String(id),
      name,
      starts_at: '2026-11-15T08:00:00Z',
      currency: id % 2 === 0 ? 'EUR' : 'USD',
      status: 'live',
    },
  });
  const answers: Screen['answers'] = {
    'GET /platform-connections': [200, { data: [connection] }],
    [`POST /platform-connections/${REQUEST}/events`]: [
      200,
      {
        data: Array.from({ length: 10 }, (_, i) =>
          source(i + 1, i === 3 ? 'مهرجان الربيع الدولي' : `Winter fair ${2030 - i}`),
        ),
      },
    ],
    [`POST /platform-connections/${REQUEST}/ticket-classes`]: [
      200,
      {
        data: [
          { id: '1', name: 'Adult', sold: 1_234_567 },
          { id: '2', name: 'Donaudampfschifffahrtsgesellschaftskapitänsmütze', sold: 0 },
        ],
      },
    ],
  };
  return [
    on('file', ''),
    on('file refused', '', {
      act: async (page) => {
        await given(page, ['what,is this', 'Ada,Lovelace']);
        await page.getByRole('alert').waitFor();
      },
    }),
    on('columns', '', { act: columns }),
    on('preview', '', {
      act: async (page) => {
        await columns(page);
        await press(page, 'Preview import');
        await said(page, /rows? to correct/);
      },
    }),
    on('outcome', `?step=run&job=${fair.import}`),
    on('running', `?step=run&job=${fair.import}`, {
      answers: {
        [`GET /jobs/${fair.import}`]: (real) => ({
          ...{ ...real, status: 'running', finished_at: null, result_url: null, rejects_url: null },
          progress: { done: 12_345, total: 987_654 },
        }),
      },
    }),
    on('platform', '/platform', {
      act: async (page) => {
        await press(page, 'Connect');
        await said(page, 'Fill this in.');
      },
    }),
    on('platform connected', '/platform', { answers }),
    on('platform events', `/platform?step=event&connection=${REQUEST}`, { answers }),
    on('platform ticket classes', `/platform?step=classes&connection=${REQUEST}&source=1`, {
      answers,
      act: async (page) => {
        await press(page, 'Start import');
        await said(page, 'Fill this in.');
      },
    }),
    on('platform outcome', `/platform?step=take&job=${fair.import}`),
  ];
}

function exportScreens({ people, fair }: ScreensWorld): Screen[] {
  const on = (name: string, search: string, more: Partial<Screen> = {}): Screen => ({
    ...{ name: `export: ${name}`, as: 'owner', path: `${fair.event}/people/export${search}` },
    ...more,
  });
  return [
    on('people', '?status=confirmed&attendee_type=patron&answer.diet=Vegan', {
      act: (page) => page.getByText(/^Columns:/).click(),
    }),
    on('file', `?what=payments&job=${fair.import}`),
    on('refused', '', {
      answers: { 'POST /exports': refusal(429, 'rate_limited') },
      act: async (page) => {
        await press(page, 'Create file');
        await page.getByRole('alert').waitFor();
      },
    }),
    { name: 'export: of an event without anybody', as: 'owner', path: `${people.empty}/people/export` },
  ];
}

function contactScreens({ fair }: ScreensWorld): Screen[] {
  const on = (name: string, path: string, more: Partial<Screen> = {}): Screen => ({
    ...{ name: `contact: ${name}`, as: 'owner', path: `/app/rhein/contacts${path}` },
    ...more,
  });
  const one = `/${fair.contact}`;
  return [
    on('list', ''),
    on('nobody matches', '?search=qqqq'),
    { name: 'contact: none yet', as: 'beginner', path: '/app/empty/contacts' },
    on('one', one),
    on('change with a fault', one, {
      act: async (page) => {
        await press(page, 'Change');
        await inDialog(page).getByLabel('E-mail').fill('nobody at example.org');
        await inDialog(page).getByRole('button', { name: 'Save' }).click();
        await page.locator('.fault').first().waitFor();
      },
    }),
    on('erase', one, { act: (page) => press(page, 'Erase person') }),
  ];
}
