import { createRoute } from '@tanstack/react-router';
import { askAhead, queries } from '../frame/api.ts';
import { filters, screen } from '../frame/route.ts';
import { askingGroups } from '../screens/groups/tree.ts';
import { peopleQuery } from '../screens/people/query.ts';
import { registrationsQuery } from '../screens/registrations/query.ts';
import { event } from './base.ts';

/** The people of an event and the registrations that they came with. */
const people = createRoute({
  getParentRoute: () => event,
  path: 'people',
  validateSearch: filters(
    'search',
    'status',
    'attendee_type',
    'day',
    'group',
    'checked_in',
    'order',
    'answer.*',
    'job',
  ),
  ...screen(['people', 'registrations'], () => import('../screens/people/list.tsx')),
  // A link that is only pointed at loads the screen, not its people.
  beforeLoad: ({ params: { org, event: code }, search, preload }) => {
    if (preload) return;
    askAhead('listAttendees', { org, event: code, query: peopleQuery(search) });
    // There is a column for the group if there are any: known later, every row would be drawn again.
    if (queries.getQueryData(askingGroups(org).queryKey) === undefined) void queries.prefetchQuery(askingGroups(org));
  },
});
const person = createRoute({
  getParentRoute: () => event,
  path: 'people/$attendee',
  validateSearch: filters('search', 'status', 'attendee_type', 'day', 'group', 'checked_in', 'order', 'answer.*'),
  ...screen(['people', 'registrations', 'audit'], () => import('../screens/people/person.tsx')),
});
const registrations = createRoute({
  getParentRoute: () => event,
  path: 'registrations',
  validateSearch: filters('search', 'status', 'source', 'group', 'balance', 'order', 'answer.*', 'job'),
  ...screen(['registrations', 'people'], () => import('../screens/registrations/list.tsx')),
  beforeLoad: ({ params: { org, event: code }, search, preload }) => {
    if (!preload) askAhead('listRegistrations', { org, event: code, query: registrationsQuery(search) });
  },
});
const create = createRoute({
  getParentRoute: () => event,
  path: 'registrations/new',
  ...screen(['registrations', 'people'], () => import('../screens/registrations/new.tsx')),
});
const registration = createRoute({
  getParentRoute: () => event,
  path: 'registrations/$registration',
  validateSearch: filters('search', 'status', 'source', 'group', 'balance', 'order'),
  ...screen(['registrations', 'people'], () => import('../screens/registrations/registration.tsx')),
});

export const attendeeRoutes = [people, person, registrations, create, registration] as const;
