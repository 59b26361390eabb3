import type { AppWorld } from '../app-world.ts';
import { sender } from './sender.ts';

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
  const { send, post } = sender(t, session);
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
