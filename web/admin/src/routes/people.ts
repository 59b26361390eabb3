import { createRoute } from '@tanstack/react-router';
import { askAhead, queries } from '../frame/api.ts';
import { filters, screen } from '../frame/route.ts';
import { peopleQuery } from '../screens/event/people/query.ts';
import { registrationsQuery } from '../screens/event/people/registrations/query.ts';
import { askingGroups } from '../screens/groups/tree.ts';
import { event } from './base.ts';

/** The people of an event, the registrations that they came with, and their files: /app/{org}/events/{event}/people/… */
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
  ...screen(['people', 'registrations'], () => import('../screens/event/people.screen.tsx')),
  // A link that is only pointed at loads the screen, not its people.
  beforeLoad: ({ params: { org, event: code }, search, preload }) => {
    if (preload) return;
    askAhead('listAttendees', { org, event: code, query: peopleQuery(search) });
    // There is a column for the group if there are any: known later, every row would be drawn again.
    if (queries.getQueryData(askingGroups(org).queryKey) === undefined) void queries.prefetchQuery(askingGroups(org));
  },
});
const attendee = createRoute({
  getParentRoute: () => event,
  path: 'people/$attendee',
  validateSearch: filters('search', 'status', 'attendee_type', 'day', 'group', 'checked_in', 'order', 'answer.*'),
  ...screen(
    ['people', 'registrations', 'booking', 'handing-out', 'audit'],
    () => import('../screens/event/people/attendee.screen.tsx'),
  ),
});
const registrations = createRoute({
  getParentRoute: () => event,
  path: 'people/registrations',
  validateSearch: filters('search', 'status', 'source', 'group', 'balance', 'order', 'answer.*', 'job'),
  ...screen(['registrations', 'people'], () => import('../screens/event/people/registrations.screen.tsx')),
  beforeLoad: ({ params: { org, event: code }, search, preload }) => {
    if (!preload) askAhead('listRegistrations', { org, event: code, query: registrationsQuery(search) });
  },
});
const newRegistration = createRoute({
  getParentRoute: () => event,
  path: 'people/registrations/new',
  ...screen(
    ['registrations', 'people', 'booking'],
    () => import('../screens/event/people/registrations/new.screen.tsx'),
  ),
});
const registration = createRoute({
  getParentRoute: () => event,
  path: 'people/registrations/$registration',
  validateSearch: filters('search', 'status', 'source', 'group', 'balance', 'order'),
  ...screen(
    ['registrations', 'people', 'booking'],
    () => import('../screens/event/people/registrations/registration.screen.tsx'),
  ),
});
const importing = createRoute({
  getParentRoute: () => event,
  path: 'people/import',
  validateSearch: filters('step', 'job', 'fix'),
  ...screen(['import'], () => import('../screens/event/people/import.screen.tsx')),
});
const platform = createRoute({
  getParentRoute: () => event,
  path: 'people/import/platform',
  validateSearch: filters('step', 'connection', 'source', 'job'),
  ...screen(['import'], () => import('../screens/event/people/import/platform.screen.tsx')),
});
/** What is exported, how, and which rows. */
const EXPORT_FILTERS = [
  ...(['job', 'what', 'format', 'columns', 'status', 'attendee_type', 'day', 'group', 'checked_in'] as const),
  ...(['report', 'check_in_point', 'result', 'admitted', 'method', 'registration_status'] as const),
  ...(['from', 'to', 'by', 'answer.*'] as const),
];
const exporting = createRoute({
  getParentRoute: () => event,
  path: 'people/export',
  validateSearch: filters(...EXPORT_FILTERS),
  ...screen(['export'], () => import('../screens/event/people/export.screen.tsx')),
});

export const peopleRoutes = [
  ...[people, attendee, registrations, newRegistration, registration, importing, platform, exporting],
] as const;
