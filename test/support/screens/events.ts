import { inDialog, press, refusal, type Screen, said } from './screen.ts';
import type { ScreensWorld } from './world.ts';

const FAULTS = refusal(422, 'validation_failed', {
  details: [{ path: 'registration/closes_at', message: 'must not be before opens_at' }],
});

/** Events as a whole: the list, creating one, the overview of a draft and of one with people, and the settings. */
export const eventScreens = ({ people }: ScreensWorld): Screen[] => {
  const owner = (name: string, path: string, more: Partial<Screen> = {}): Screen => ({
    ...{ name, as: 'owner', path },
    ...more,
  });
  const settings = `${people.event}/settings`;
  return [
    owner('events', '/app/rhein/events'),
    owner('events filtered to nothing', '/app/rhein/events?status=archived&search=zzz'),
    owner('events not answered', '/app/rhein/events', { answers: { 'GET /events': refusal(503, 'unavailable') } }),
    { name: 'events, none yet', as: 'beginner', path: '/app/empty/events' },
    { name: 'events for a viewer', as: 'viewer', path: '/app/rhein/events' },
    owner('new event', '/app/rhein/events/new', { act: (page) => page.getByText('More: time zone').click() }),
    owner('new event with a fault', '/app/rhein/events/new', {
      act: async (page) => {
        await press(page, 'Create event');
        await said(page, 'Fill this in.');
      },
    }),
    owner('new event from another', '/app/rhein/events/new?from=event&event=people'),
    owner('new event from a file', '/app/rhein/events/new?from=file', {
      act: async (page) => {
        const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b') };
        await page.getByLabel('Template file', { exact: true }).setInputFiles(file);
        await said(page, 'This file cannot be read.');
      },
    }),
    { name: 'new event for a viewer', as: 'viewer', path: '/app/rhein/events/new' },
    owner('overview', people.event),
    owner('overview of a draft', people.empty, { act: (page) => press(page, 'Publish') }),
    { name: 'overview of a draft for a viewer', as: 'viewer', path: people.empty },
    owner('overview not answered', people.event, { answers: { 'GET /summary': refusal(503, 'unavailable') } }),
    owner('settings', settings),
    owner('settings with consequences', settings, {
      act: async (page) => {
        await page.getByLabel('Places').fill('1');
        await page.getByLabel('Code', { exact: true }).fill('other');
        await page.getByLabel('Each person for each day').check();
        await page.getByLabel('Approve each registration').check();
      },
    }),
    owner('settings with a fault', settings, {
      answers: { 'PATCH /events/people': FAULTS },
      act: async (page) => {
        await page.getByLabel('Waitlist').check();
        await page.getByRole('region', { name: 'Registration' }).getByRole('button', { name: 'Save' }).click();
        await page.getByRole('alert').waitFor();
      },
    }),
    owner('settings changed by somebody else', settings, {
      act: async (page) => {
        await page.getByLabel('Venue').fill('Lake');
        await page.route('**/events/people', async (route) => {
          const response = await route.fetch();
          await route.fulfill({ response, json: { ...(await response.json()), venue: 'Barn' } });
        });
        await page.getByRole('region', { name: 'Event', exact: true }).getByRole('button', { name: 'Save' }).click();
        await page.getByRole('alert').waitFor();
      },
    }),
    { name: 'settings for a viewer', as: 'viewer', path: settings },
    owner('duplicate', settings, {
      act: async (page) => {
        await press(page, 'Duplicate');
        await inDialog(page).getByLabel('First day').waitFor();
      },
    }),
    owner('close registration', settings, { act: (page) => press(page, 'Close registration') }),
    owner('delete event', `${people.empty}/settings`, {
      act: async (page) => {
        await press(page, 'Delete');
        await inDialog(page).getByLabel('Name').fill('Somebody’s');
        await inDialog(page).getByRole('button', { name: 'Delete' }).click();
        await said(page, 'This is not its name.');
      },
    }),
  ];
};
