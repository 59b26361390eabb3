import { COVER, picture } from './picture.ts';
import { inDialog, press, refusal, type Screen, said } from './screen.ts';
import type { ScreensWorld } from './world.ts';

const FAULTS = refusal(422, 'validation_failed', {
  details: [{ path: 'registration/closes_at', message: 'must not be before opens_at' }],
});

/** An event with a picture, of which few places are left. */
const NEARLY_FULL: NonNullable<Screen['answers']> = {
  'GET /events/people': (real) => ({ ...real, image: COVER, capacity: 120, venue: 'Old Harbour, Pier 3' }),
  'GET /availability': (real) => ({
    event: { ...real.event, capacity: 120, taken: 98, held: 12, left: 10 },
    days: real.days.map((day: object, i: number) => ({
      ...day,
      capacity: 60,
      taken: 60 - 7 * i,
      held: 0,
      left: 7 * i,
    })),
    attendee_types: real.attendee_types.map((type: object, i: number) => ({
      ...{ ...type, taken: 70 - 24 * i },
      ...(i === 1 && { capacity: 50, held: 2, left: 2 }),
    })),
  }),
  'GET /reports/registrations': (real) => ({
    ...real,
    intervals: real.intervals.map((one: { people: object }, i: number) => ({
      ...one,
      people: { ...one.people, registered: (i * 7) % 13, cancelled: i % 5 === 4 ? 1 : 0 },
    })),
  }),
};

/** Events as a whole: the list, creating one, the overview of a draft and of one with people, and the settings. */
export const eventScreens = ({ people }: ScreensWorld): Screen[] => {
  const owner = (name: string, path: string, more: Partial<Screen> = {}): Screen => ({
    ...{ name, as: 'owner', path },
    ...more,
  });
  const settings = `${people.event}/settings`;
  return [
    owner('event: list', '/app/rhein/events'),
    owner('event: list filtered to nothing', '/app/rhein/events?status=archived&search=zzz'),
    owner('event: list not answered', '/app/rhein/events', { answers: { 'GET /events': refusal(503, 'unavailable') } }),
    { name: 'event: list without any', as: 'beginner', path: '/app/empty/events' },
    { name: 'event: list for a viewer', as: 'viewer', path: '/app/rhein/events' },
    owner('event: new', '/app/rhein/events/new', {
      act: async (page) => {
        await page.getByLabel('Paid').check();
        await page.getByText('More options').click();
      },
    }),
    owner('event: new with a fault', '/app/rhein/events/new', {
      act: async (page) => {
        await press(page, 'Create event');
        await said(page, 'Fill this in.');
      },
    }),
    owner('event: new from another', '/app/rhein/events/new?from=event&event=people'),
    owner('event: new from a file', '/app/rhein/events/new?from=file', {
      act: async (page) => {
        const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b') };
        await page.getByLabel('Template file', { exact: true }).setInputFiles(file);
        await said(page, 'This file can’t be read.');
      },
    }),
    { name: 'event: new for a viewer', as: 'viewer', path: '/app/rhein/events/new' },
    owner('event: overview', people.event),
    owner('event: overview of an event that is nearly full', people.event, { answers: NEARLY_FULL }),
    owner('event: overview of a draft', people.empty, { act: (page) => press(page, 'Publish') }),
    { name: 'event: overview of a draft for a viewer', as: 'viewer', path: people.empty },
    owner('event: overview not answered', people.event, { answers: { 'GET /summary': refusal(503, 'unavailable') } }),
    owner('event: settings', settings),
    ...['registration', 'payment', 'tickets', 'self', 'door', 'next', 'history', 'state'].map((part) =>
      owner(`event: settings, ${part}`, `${settings}?part=${part}`),
    ),
    owner('event: settings with consequences', settings, {
      act: (page) => page.getByLabel('Code', { exact: true }).fill('other'),
    }),
    owner('event: settings, registration with consequences', `${settings}?part=registration`, {
      act: async (page) => {
        await page.getByLabel('Places').fill('1');
        await page.getByLabel('Approve each registration').check();
      },
    }),
    owner('event: settings, tickets with consequences', `${settings}?part=tickets`, {
      act: (page) => page.getByLabel('Each person for each day').check(),
    }),
    owner('event: settings with a fault', `${settings}?part=registration`, {
      answers: { 'PATCH /events/people': FAULTS },
      act: async (page) => {
        await page.getByLabel('Waitlist').check();
        await press(page, 'Save');
        await page.getByRole('alert').waitFor();
      },
    }),
    owner('event: settings changed by somebody else', settings, {
      act: async (page) => {
        await page.getByLabel('Venue').fill('Lake');
        await page.route('**/events/people', async (route) => {
          const response = await route.fetch();
          await route.fulfill({ response, json: { ...(await response.json()), venue: 'Barn' } });
        });
        await press(page, 'Save');
        await page.getByRole('alert').waitFor();
      },
    }),
    owner('event: registration page', `${people.event}/page`, {
      answers: { 'GET /organization': (real) => ({ ...real, embed_origins: ['https://www.rhein.example'] }) },
      act: async (page) => {
        await page.getByLabel('Picture', { exact: true }).setInputFiles(await picture());
        await page.getByRole('img', { name: 'Picture' }).waitFor();
        await page.getByLabel('Description').fill('Three days of **boats, food and music**.');
      },
    }),
    owner('event: registration page with a refused picture', `${people.event}/page`, {
      act: async (page) => {
        const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') };
        await page.getByLabel('Picture', { exact: true }).setInputFiles(file);
        await said(page, 'Choose a JPEG, PNG or WebP picture.');
      },
    }),
    { name: 'event: settings for a viewer', as: 'viewer', path: settings },
    owner('event: duplicate', `${settings}?part=next`, {
      act: async (page) => {
        await press(page, 'Duplicate');
        await inDialog(page).getByLabel('First day').waitFor();
      },
    }),
    owner('event: close registration', `${settings}?part=state`, { act: (page) => press(page, 'Close registration') }),
    owner('event: delete', `${people.empty}/settings?part=state`, {
      act: async (page) => {
        await press(page, 'Delete');
        await inDialog(page).getByLabel('Name').fill('Somebody’s');
        await inDialog(page).getByRole('button', { name: 'Delete' }).click();
        await said(page, 'This isn’t the name.');
      },
    }),
  ];
};
