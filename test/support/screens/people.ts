import type { Page } from 'playwright-core';
import type { AppWorld } from '../app-world.ts';
import { choose, inDialog, press, refusal, type Screen, said } from './screen.ts';
import type { ScreensWorld } from './world.ts';

const LONG = 'von und zu Hohenstein-Wertheimberg-Rosenthal-Sachsenhausen';

/** What the screens of people show: somebody who came, somebody of each status, payments, and an event without anybody. */
export interface PeopleAt {
  /** The address of the event with people. */
  event: string;
  empty: string;
  person: string;
  paid: string;
  unpaid: string;
  waiting: string;
}

/** An event with people in every status. */
export async function fillPeople({ t }: AppWorld, session: string): Promise<PeopleAt> {
  const send = async (method: string, path: string, body: unknown = {}) => {
    const headers = { cookie: `turnout_session=${session}` };
    const reply = await t.call(method, `/app/api${path}`, { headers, org: 'rhein', body });
    if (reply.status >= 300) throw new Error(`${path}: ${reply.text}`);
    return reply.body;
  };
  const post = (path: string, body?: unknown) => send('POST', path, body);
  const today = new Date().toISOString().slice(0, 10);
  const hours = { opens_at: `${today}T00:00:00Z`, closes_at: `${today}T23:59:59Z` };
  await post('/events', { code: 'people', name: 'Jahreshauptversammlung', timezone: 'UTC', currency: 'EUR' });
  await post('/events', { code: 'nobody', name: 'Nobody’s Fair', timezone: 'UTC', currency: 'EUR' });
  const at = '/events/people';
  await post(`${at}/days`, { code: 'd1', name: 'Today', date: today, ...hours });
  await post(`${at}/days`, { code: 'd2', name: 'Mitgliederversammlung', date: '2100-01-02' });
  await post(`${at}/attendee-types`, { code: 'adult', name: 'Adult' });
  await post(`${at}/attendee-types`, { code: 'paying', name: 'Ermäßigt mit Übernachtung', price_minor: 4500 });
  await post(`${at}/attendee-types`, { code: 'crew', name: 'Crew', approval: true });
  const diet = { code: 'diet', label: 'What do you eat?', kind: 'choice', options: ['Everything', 'Vegan'] };
  await post(`${at}/questions`, { ...diet, filterable: true });
  await post(`${at}/questions`, { code: 'note', label: 'Anything else that we should know?', kind: 'long_text' });
  await post(`${at}/check-in-points`, { code: 'gate', name: 'Main gate', kind: 'entry' });
  await post(`${at}/check-in-points`, {
    ...{ code: 'stage', name: 'Backstage', kind: 'zone', policy: { attendee_types: ['crew'] } },
  });
  await post(`${at}/publish`);
  const register = (...attendees: object[]) =>
    post(`${at}/registrations`, {
      attendees: attendees.map((one) => ({ attendee_type: 'adult', days: ['d1'], answers: { diet: 'Vegan' }, ...one })),
      send_emails: true,
    });
  const came = await register(
    { first_name: 'Maximilian-Konstantin', last_name: LONG, email: 'm@example.org', group: 'nord' },
    { first_name: 'محمد', last_name: 'عبد الله', days: ['d1', 'd2'] },
  );
  const [{ id, tickets }] = came.attendees;
  for (const check_in_point of ['stage', 'gate', 'gate'])
    await post(`${at}/scan`, { code: tickets[0].code, check_in_point, client_uuid: crypto.randomUUID() });
  await send('PATCH', `${at}/attendees/${id}`, { days: ['d1', 'd2'], phone: '+49 30 1234' });
  await post(`/tickets/${tickets[0].id}/reissue`, {});
  const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org', attendee_type: 'paying' };
  const paid = await register(ada);
  const payment = { amount_minor: 4500, method: 'transfer', reference: 'RF18 5390 0754 7034' };
  const { id: received } = await post(`${at}/registrations/${paid.id}/payments`, payment);
  await post(`/payments/${received}/refund`, { amount_minor: 500 });
  const unpaid = await register({ ...ada, first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.org' });
  const waiting = await register({ first_name: 'Alan', last_name: 'Turing', attendee_type: 'crew' });
  const gone = await register({ first_name: 'Edsger', last_name: 'Dijkstra' });
  await post(`${at}/registrations/${gone.id}/cancel`);
  return {
    ...{ event: '/app/rhein/events/people', empty: '/app/rhein/events/nobody', person: id },
    ...{ paid: paid.code, unpaid: unpaid.code, waiting: waiting.code },
  };
}

/** People and registrations: the tables, one of each, and everything that opens above them. */
export const peopleScreens = ({ people }: ScreensWorld): Screen[] => {
  const on =
    (path: string) =>
    (name: string, more: Partial<Screen> = {}) =>
      ({ name, as: 'owner', path: `${people.event}${path}`, ...more }) satisfies Screen;
  const [list, person] = [on('/people'), on(`/people/${people.person}`)];
  const [registrations, unpaid] = [on('/registrations'), on(`/registrations/${people.unpaid}`)];
  const [paid, waiting] = [on(`/registrations/${people.paid}`), on(`/registrations/${people.waiting}`)];
  const all = (page: Page) => page.getByLabel('Select all rows that are loaded').check();
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
        await said(page, 'What did not work');
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
        await said(page, 'Take theirs');
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
    person('person cancel', { act: (page) => choose(page, 'More actions', 'Cancel this person') }),
    person('ticket send', { act: (page) => press(page, 'Send') }),
    person('ticket reissue', { act: (page) => choose(page, /^Actions for ticket/, 'Reissue') }),
    person('ticket void', { act: (page) => choose(page, /^Actions for ticket/, 'Void') }),
    person('ticket issue', { act: (page) => press(page, 'Issue ticket') }),
    registrations('registrations'),
    on('/registrations?status=pending_approval')('registrations to approve'),
    on('/registrations?status=expired')('registrations nothing matches'),
    { name: 'registrations none yet', as: 'owner', path: `${people.empty}/registrations` },
    on('/registrations?status=pending_approval')('registrations decline many', {
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
    unpaid('registration add a person', { act: (page) => press(page, 'Add a person') }),
    unpaid('registration record payment', { act: (page) => press(page, 'Record payment') }),
    unpaid('registration payment link', {
      answers: {
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
        await said(page, 'Whoever opens this link');
      },
    }),
    paid('registration refund', { act: (page) => press(page, /^Refund of/) }),
    on('/registrations/new')('register'),
    on('/registrations/new')('register with faults', {
      act: async (page) => {
        await page.getByLabel('Somebody else').check();
        await press(page, 'Add another person');
        await press(page, 'Register');
        await said(page, 'Fill this in.');
      },
    }),
  ];
};
