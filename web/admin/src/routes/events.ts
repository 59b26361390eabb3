import { createRoute } from '@tanstack/react-router';
import { filters, screen } from '../frame/route.ts';
import { event, organization } from './base.ts';

/** Events and what each consists of: overview, form, settings. */
const list = createRoute({
  getParentRoute: () => organization,
  path: 'events',
  validateSearch: filters('status', 'search', 'group', 'test', 'order'),
  ...screen(['events', 'parts', 'states'], () => import('../screens/events/list.tsx')),
});
const create = createRoute({
  getParentRoute: () => organization,
  path: 'events/new',
  validateSearch: filters('from', 'event', 'template'),
  ...screen(['events', 'parts', 'states'], () => import('../screens/events/new.tsx')),
});
const overview = createRoute({
  getParentRoute: () => event,
  path: '/',
  ...screen(['events', 'site'], () => import('../screens/events/overview.tsx')),
});
const settings = createRoute({
  getParentRoute: () => event,
  path: 'settings',
  validateSearch: filters('part'),
  ...screen(['events', 'site'], () => import('../screens/events/settings.tsx')),
});
const form = createRoute({
  getParentRoute: () => event,
  path: 'form',
  ...screen(['form'], () => import('../screens/form/form.tsx')),
});
const days = createRoute({
  getParentRoute: () => event,
  path: 'form/days',
  validateSearch: filters('day', 'as'),
  ...screen(['form'], () => import('../screens/form/days.tsx')),
});
const types = createRoute({
  getParentRoute: () => event,
  path: 'form/types',
  validateSearch: filters('type', 'as'),
  ...screen(['form'], () => import('../screens/form/types.tsx')),
});
const questions = createRoute({
  getParentRoute: () => event,
  path: 'form/questions',
  validateSearch: filters('question', 'as'),
  ...screen(['form'], () => import('../screens/form/questions.tsx')),
});

export const eventRoutes = {
  organization: [list, create],
  event: [overview, settings, form, days, types, questions],
} as const;
