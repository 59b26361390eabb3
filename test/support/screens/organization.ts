import type { Overview, OverviewEvent, TenantHost } from '../../../packages/client/src/operations.generated.ts';
import { COVER, picture } from './picture.ts';
import { choose, inDialog, press, refusal, type Screen, said } from './screen.ts';
import type { ScreensWorld } from './world.ts';

const event = (n: number, name: string, more: Partial<OverviewEvent>): OverviewEvent => ({
  id: `01980000-0000-7000-8000-0000000000${n}`,
  code: `e${n}`,
  name,
  status: 'published',
  test: false,
  timezone: 'Europe/Berlin',
  starts_at: null,
  ends_at: null,
  venue: null,
  image: null,
  when: 'next',
  capacity: 200,
  taken: 0,
  held: 0,
  waiting: 0,
  to_approve: 0,
  unpaid: 0,
  checked_in: 0,
  registered_by_day: new Array<number>(30).fill(0),
  ...more,
});

const FULL: Overview = {
  more: true,
  failing_webhooks: 2,
  paused_webhooks: 1,
  events: [
    event(20, 'Lakeside Fair', {
      when: 'now',
      starts_at: '2026-11-15T08:00:00Z',
      ends_at: '2026-11-17T18:00:00Z',
      capacity: 1200,
      taken: 1093,
      held: 12,
      waiting: 34,
      to_approve: 3,
      unpaid: 9,
      checked_in: 742,
      venue: 'Old Harbour, Pier 3',
      image: COVER,
      registered_by_day: Array.from({ length: 30 }, (_, i) => (i * 7) % 23),
    }),
    event(21, 'Members’ Evening', {
      starts_at: '2026-11-20T18:00:00Z',
      ends_at: '2026-11-20T22:00:00Z',
      capacity: 80,
      taken: 80,
      waiting: 5,
    }),
    event(22, 'Jahreshauptversammlung der Veranstaltungsdurchführungsgesellschaft Rheinland-Pfalz', {
      starts_at: '2026-12-04T15:00:00Z',
      timezone: 'America/New_York',
      taken: 61,
      held: 20,
      venue: 'Stadthalle der Veranstaltungsdurchführungsgesellschaft, Großer Sitzungssaal',
      registered_by_day: Array.from({ length: 30 }, (_, i) => (i === 20 ? 61 : 0)),
      to_approve: 20,
    }),
    event(23, 'Open House', { capacity: null, taken: 318, starts_at: '2027-01-09T09:00:00Z', test: true }),
    event(24, 'Spring Conference', { status: 'draft', capacity: 500 }),
    ...Array.from({ length: 8 }, (_, i) =>
      event(30 + i, `Autumn Market ${2025 - i}`, {
        when: 'past',
        status: 'closed',
        starts_at: `${2025 - i}-10-04T08:00:00Z`,
        ends_at: `${2025 - i}-10-05T18:00:00Z`,
        capacity: 400,
        taken: 300 + i * 11,
        checked_in: 270 + i * 9,
      }),
    ),
  ],
};

const host = (n: number, name: string, more: Partial<TenantHost>): TenantHost => ({
  id: `01JBJ4S5C8D1F4H7K0M3P6R9T${n}`,
  host: name,
  state: 'waiting',
  primary: false,
  record: { type: 'TXT', name: `_turnout.${name}`, value: 'turnout-4k7m2q9r3x6z8b1c5d0f2g4h' },
  proved_at: null,
  proved_by: null,
  checked_at: null,
  check: null,
  missing_since: null,
  drops_at: null,
  created_at: '2026-11-01T08:00:00Z',
  updated_at: '2026-11-01T08:00:00.000000Z',
  ...more,
});
const checked = { checked_at: '2026-11-15T09:30:00Z', check: 'found' } as const;
const proved = { state: 'proved', proved_at: '2026-11-02T08:00:00Z', proved_by: 'dns', ...checked } as const;
const HOSTS: TenantHost[] = [
  host(1, 'tickets.example.org', { ...proved, primary: true }),
  host(2, 'anmeldung.veranstaltungsdurchfuehrungsgesellschaft-rheinland-pfalz.example', {
    ...proved,
    check: 'none',
    missing_since: '2026-11-13T09:30:00Z',
    drops_at: '2026-11-20T09:30:00Z',
  }),
  host(3, 'karten.example', { ...proved, proved_by: 'operator', check: null, checked_at: null }),
  host(4, 'new.example.org', {}),
  host(5, 'wrong.example.org', { checked_at: '2026-11-15T09:30:00Z', check: 'other_value' }),
  host(6, 'popular.example.org', { state: 'contested', ...checked }),
];

/** Home, Team, Groups and Organization, what is around them, and the search. */
export const organizationScreens = ({ at }: ScreensWorld): Screen[] => {
  const on =
    (path: string) =>
    (name: string, more: Partial<Screen> = {}) =>
      ({ name, as: 'owner', path: `/app/rhein${path}`, ...more }) satisfies Screen;
  const [home, team, groups, organization] = [on(''), on('/team'), on('/groups'), on('/organization')];
  const find = (text: string) => async (page: Parameters<NonNullable<Screen['act']>>[0]) => {
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Find anything' });
    await field.fill(text);
    await page.getByRole('option').or(page.getByText('No results for')).first().waitFor();
  };
  return [
    home('home full', {
      answers: {
        'GET /overview': () => FULL,
        'GET /membership': (real) => ({ ...real, usage: { month: '2026-11', calls: 41_250, allowance: 50_000 } }),
      },
    }),
    home('home nothing waits', {
      answers: {
        'GET /overview': () => ({ events: [FULL.events[3]], more: false, failing_webhooks: 0, paused_webhooks: 0 }),
      },
    }),
    { name: 'home empty', as: 'beginner', path: '/app/empty' },
    { name: 'home empty for a viewer', as: 'viewer', path: '/app/rhein' },
    { name: 'home of the sandbox', as: 'sandbox', path: '/app' },
    home('navigation open', {
      widths: [390],
      act: (page) => page.setViewportSize({ width: 390, height: 844 }).then(() => press(page, 'Menu')),
    }),
    home('switch organization', {
      widths: [1440],
      act: (page) => press(page, /^Switch organization/),
    }),
    home('search open', { act: find('') }),
    home('search finds', { act: find('c') }),
    home('search finds nothing', { act: find('qqqq') }),
    team('team'),
    { name: 'team for a viewer', as: 'viewer', path: '/app/rhein/team' },
    team('team invite', {
      act: async (page) => {
        await press(page, 'Invite');
        await inDialog(page).getByRole('button', { name: 'Invite' }).click();
        await said(page, 'Fill this in.');
      },
    }),
    team('team invited', {
      act: async (page) => {
        await press(page, 'Send again to grace@example.org');
        await page.getByRole('dialog', { name: 'grace@example.org is invited' }).waitFor();
      },
    }),
    on(`/team?member=${at.member}`)('team member', { act: (page) => said(page, 'History') }),
    team('team change role', {
      act: (page) => choose(page, /^Actions for/, 'Change role or group'),
    }),
    team('team remove member', { act: (page) => choose(page, /^Actions for/, 'Remove') }),
    team('team leave refused', {
      answers: { 'DELETE /membership': refusal(409, 'last_owner') },
      act: async (page) => {
        await press(page, /^Leave/);
        await inDialog(page)
          .getByRole('button', { name: /^Leave/ })
          .click();
        await page.getByRole('alert').waitFor();
      },
    }),
    groups('groups'),
    { name: 'groups empty', as: 'beginner', path: '/app/empty/groups' },
    groups('groups add', { act: (page) => press(page, 'Add group') }),
    groups('groups actions', { widths: [1440], act: (page) => press(page, 'Actions for Nord') }),
    groups('groups rename', { act: (page) => choose(page, 'Actions for Nord', 'Rename') }),
    groups('groups move', { act: (page) => choose(page, /^Actions for Ostf/, 'Move') }),
    groups('groups delete refused', {
      act: async (page) => {
        await choose(page, 'Actions for Nord', 'Delete');
        await inDialog(page).getByRole('button', { name: 'Delete' }).click();
        await page.getByRole('alert').waitFor();
      },
    }),
    organization('organization'),
    ...['words', 'look', 'pages', 'hosts', 'plan', 'security'].map((part) =>
      on(`/organization?part=${part}`)(`organization: ${part}`),
    ),
    { name: 'organization for a viewer', as: 'viewer', path: '/app/rhein/organization' },
    on('/organization?part=plan')('organization used up', {
      answers: {
        'GET /membership': (real) => ({ ...real, usage: { month: '2026-11', calls: 51_250, allowance: 50_000 } }),
      },
    }),
    organization('organization with faults', {
      act: async (page) => {
        await page.getByLabel('Name').fill('');
        await press(page, 'Save');
        await said(page, 'Fill this in.');
      },
    }),
    on('/organization?part=pages')('organization pages', {
      answers: {
        'PATCH /organization': refusal(400, 'validation_failed', {
          details: [
            { path: 'imprint_url', message: 'must be an address', rule: 'not_web_address' },
            { path: 'embed_origins/0', message: 'must be a site', rule: 'not_origin' },
          ],
        }),
      },
      act: async (page) => {
        const pages = page.getByRole('region', { name: 'Registration pages' });
        await pages.getByLabel('Logo').setInputFiles(await picture());
        await pages.getByRole('img', { name: 'Logo' }).waitFor();
        await pages.getByLabel('Imprint').fill('rhein.example/imprint');
        await pages.getByLabel('Websites that may show your forms').fill('https://rhein.example/events');
        await pages.getByRole('button', { name: 'Save' }).click();
        await said(page, 'Enter the address of a page.');
      },
    }),
    on('/organization?part=look')('organization coloured', {
      answers: {
        'GET /organization': (real) => ({ ...real, accent: '#ffe14d' }),
        'GET /membership': (real) => ({ ...real, organization: { ...real.organization, accent: '#ffe14d' } }),
      },
    }),
    on('/organization?part=hosts')('organization hosts', {
      answers: { 'GET /organization/hosts': () => ({ data: HOSTS }) },
    }),
    on('/organization?part=hosts')('organization host refused', {
      act: async (page) => {
        const hosts = page.getByRole('region', { name: 'Own hosts' });
        await hosts.getByLabel('Host').fill('https://tickets.example.org');
        await hosts.getByRole('button', { name: 'Add host' }).click();
        await said(page, 'Enter a host such as');
      },
    }),
    on('/organization?part=hosts')('organization remove host', {
      answers: { 'GET /organization/hosts': () => ({ data: HOSTS.slice(0, 1) }) },
      act: (page) => press(page, 'Remove (tickets.example.org)'),
    }),
    organization('leaving a changed form', {
      act: async (page) => {
        await page.getByLabel('Name').fill('Something else');
        await page.getByRole('link', { name: 'Team' }).click();
        await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
      },
    }),
  ];
};
