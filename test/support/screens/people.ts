import type { Page } from 'playwright-core';
import { choose, inDialog, press, refusal, type Screen, said } from './screen.ts';
import type { ScreensWorld } from './world.ts';

/** People and registrations: the tables, one of each, and everything that opens above them. */
export const peopleScreens = ({ people }: ScreensWorld): Screen[] => {
  const on =
    (path: string) =>
    (name: string, more: Partial<Screen> = {}) =>
      ({ name, as: 'owner', path: `${people.event}${path}`, ...more }) satisfies Screen;
  const [list, person] = [on('/people'), on(`/people/${people.person}`)];
  const [registrations, unpaid] = [on('/people/registrations'), on(`/people/registrations/${people.unpaid}`)];
  const [paid, waiting] = [on(`/people/registrations/${people.paid}`), on(`/people/registrations/${people.waiting}`)];
  const all = (page: Page) => page.getByLabel('Select all loaded rows').check();
  return [
    list('people'),
    on('/people?status=confirmed&answer.diet=Vegan')('people filtered'),
    on('/people?search=qqqq')('people nobody matches'),
    { name: 'people none yet', as: 'owner', path: `${people.empty}/people` },
    { name: 'people for a viewer', as: 'viewer', path: `${people.event}/people` },
    list('people not loaded', { answers: { 'GET /attendees': refusal(500, 'internal_error') } }),
    list('people selected', { widths: [1440], act: all }),
    list('people change many', {
      act: async (page) => {
        await all(page);
        await press(page, 'Change');
      },
      widths: [1440],
    }),
    list('people report of what did not work', {
      act: async (page) => {
        await all(page);
        await press(page, 'Send tickets');
        await inDialog(page).getByRole('button', { name: 'Send' }).click();
        await said(page, 'What didn’t work');
      },
      widths: [1440],
    }),
    person('person'),
    { name: 'person for a viewer', as: 'viewer', path: `${people.event}/people/${people.person}` },
    on('/people/01980000-0000-7000-8000-000000000000')('person not found'),
    person('person change', { act: (page) => press(page, 'Change') }),
    person('person changed by somebody else meanwhile', {
      act: async (page) => {
        await press(page, 'Change');
        await page.getByLabel('Phone').fill('+49 30 5678');
        await page.route(/\/attendees\/[^/]+$/, async (route) => {
          const response = await route.fetch();
          const changed = { updated_at: '2100-01-01T00:00:00Z', phone: '+49 40 99', last_name: 'Byron' };
          await route.fulfill({ response, json: { ...(await response.json()), ...changed } });
        });
        await press(page, 'Save');
        await said(page, 'Use theirs');
      },
    }),
    person('person refused at the door', {
      act: async (page) => {
        await press(page, 'Check in');
        await inDialog(page).getByLabel('Check-in point').selectOption('Backstage');
        await inDialog(page).getByRole('button', { name: 'Check in' }).click();
        await said(page, 'Type not admitted here');
      },
    }),
    person('person override', { act: (page) => press(page, 'Override') }),
    person('person undo', { act: (page) => press(page, 'Undo') }),
    person('person cancel', { act: (page) => choose(page, 'More actions', 'Cancel place') }),
    person('ticket send', { act: (page) => press(page, 'Send') }),
    person('ticket reissue', { act: (page) => choose(page, /^Actions for ticket/, 'Reissue') }),
    person('ticket void', { act: (page) => choose(page, /^Actions for ticket/, 'Void') }),
    person('ticket issue', { act: (page) => press(page, 'Issue ticket') }),
    registrations('registrations'),
    on('/people/registrations?status=pending_approval')('registrations to approve'),
    on('/people/registrations?status=expired')('registrations nothing matches'),
    { name: 'registrations none yet', as: 'owner', path: `${people.empty}/people/registrations` },
    on('/people/registrations?status=pending_approval')('registrations decline many', {
      act: async (page) => {
        await all(page);
        await press(page, 'Decline');
      },
      widths: [1440],
    }),
    unpaid('registration to be paid', { act: (page) => page.getByText('History').click() }),
    paid('registration paid'),
    waiting('registration to approve'),
    waiting('registration decline', { act: (page) => press(page, 'Decline') }),
    waiting('registration approve refused', {
      answers: { 'POST /approve': refusal(409, 'invalid_state') },
      act: async (page) => {
        await press(page, 'Approve');
        await page.getByRole('alert').waitFor();
      },
    }),
    unpaid('registration cancel', { act: (page) => press(page, 'Cancel registration') }),
    unpaid('registration change contact', { act: (page) => press(page, 'Change') }),
    unpaid('registration add a person', { act: (page) => press(page, 'Add person') }),
    unpaid('registration record payment', { act: (page) => press(page, 'Record payment') }),
    unpaid('registration payment link', {
      answers: {
        'GET /membership': (real) => ({ ...real, online_payments: true }),
        'POST /checkout': [
          201,
          {
            ...{ url: `https://pay.example.org/c/${'a1b2c3d4'.repeat(8)}`, reference: 'cs_1' },
            ...{ amount_minor: 4500, currency: 'EUR', expires_at: '2100-01-01T00:00:00Z' },
          },
        ],
      },
      act: async (page) => {
        await press(page, 'Payment link');
        await said(page, 'Share this link to collect');
      },
    }),
    paid('registration refund', { act: (page) => press(page, /^Refund of/) }),
    on('/people/registrations/new')('register'),
    on('/people/registrations/new')('register with faults', {
      act: async (page) => {
        await page.getByLabel('Someone else').check();
        await press(page, 'Add another person');
        await press(page, 'Register');
        await said(page, 'Fill this in.');
      },
    }),
  ];
};
