import { operations } from '../../../../server/src/areas/index.ts';
import type { Outgoing } from '../abuser.ts';
import { asKey, type Ground, type Registered } from './attack.ts';

/**
 * Everything that shows an event or a registration of it: each operation that reads and whose path they fill, each list by its largest
 * page, and the pages for visitors. They come from the declarations, so a new list is read without being named here.
 */
export async function readings(ground: Ground, event: string, registration: Registered): Promise<Outgoing[]> {
  const [attendee] = registration.attendees;
  const values: Record<string, string | undefined> = {
    event,
    registration: registration.id,
    attendee: attendee?.id,
    ticket: attendee?.tickets[0]?.id,
  };
  const requests = operations.flatMap(({ method, path, at, query, hosts = ['api'] }): Outgoing[] => {
    const names = Object.keys(at);
    const fits = names.includes('event') || names.includes('ticket');
    if (method !== 'GET' || !fits || !hosts.includes('api')) return [];
    if (names.some((name) => values[name] === undefined)) return [];
    const asked = (query as { properties?: object } | undefined)?.properties ?? {};
    const wanted = 'cursor' in asked ? '?limit=200' : 'since' in asked ? '?since=2000-01-01T00:00:00Z' : '';
    const url = `/v1${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name]!)}${wanted}`;
    return [
      asKey(ground, 'GET', url),
      ...('search' in asked && 'cursor' in asked ? [asKey(ground, 'GET', `${url}&search=byron`)] : []),
    ];
  });
  const link = await ground.linkTo(registration);
  const isTicketed = values.ticket !== undefined;
  const pages = [
    `/o/${ground.org}/${event}`,
    `/o/${ground.org}/${event}/register`,
    link,
    ...(isTicketed ? [`${link}/tickets.pdf`, `${link}/calendar.ics`] : []),
  ];
  return [...requests, ...pages.map((path) => ({ method: 'GET', path, headers: {}, body: null }))];
}
