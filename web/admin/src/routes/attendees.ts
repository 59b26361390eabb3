import { createRoute } from '@tanstack/react-router';
import { filters, screen } from '../frame/route.ts';
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
  ...screen(['registrations', 'people'], () => import('../screens/registrations/one.tsx')),
});

export const attendeeRoutes = [people, person, registrations, create, registration] as const;
