import { createRoute } from '@tanstack/react-router';
import { filters, screen } from '../frame/route.ts';
import { organization } from './base.ts';

/** The screens of an organization: /app/{org}/… */
const home = createRoute({
  getParentRoute: () => organization,
  path: '/',
  ...screen(['home'], () => import('../screens/home.screen.tsx')),
});
const events = createRoute({
  getParentRoute: () => organization,
  path: 'events',
  validateSearch: filters('status', 'search', 'group', 'test', 'order'),
  ...screen(['events', 'parts', 'states'], () => import('../screens/events.screen.tsx')),
});
const newEvent = createRoute({
  getParentRoute: () => organization,
  path: 'events/new',
  validateSearch: filters('from', 'event', 'template'),
  ...screen(['events', 'parts', 'states'], () => import('../screens/events/new.screen.tsx')),
});
const contacts = createRoute({
  getParentRoute: () => organization,
  path: 'contacts',
  validateSearch: filters('search', 'order'),
  ...screen(['contacts', 'parts', 'person', 'states'], () => import('../screens/contacts.screen.tsx')),
});
const contact = createRoute({
  getParentRoute: () => organization,
  path: 'contacts/$contact',
  validateSearch: filters('search', 'order', 'do'),
  ...screen(['contacts', 'parts', 'person', 'states'], () => import('../screens/contacts/contact.screen.tsx')),
});
const team = createRoute({
  getParentRoute: () => organization,
  path: 'team',
  validateSearch: filters('member', 'invite'),
  ...screen(['team', 'audit', 'parts'], () => import('../screens/team.screen.tsx')),
});
const groups = createRoute({
  getParentRoute: () => organization,
  path: 'groups',
  ...screen(['groups', 'parts'], () => import('../screens/groups.screen.tsx')),
});
const developers = createRoute({
  getParentRoute: () => organization,
  path: 'developers',
  ...screen(['developers'], () => import('../screens/developers.screen.tsx')),
});
const keys = createRoute({
  getParentRoute: () => organization,
  path: 'developers/keys',
  validateSearch: filters('key'),
  ...screen(['developers', 'audit'], () => import('../screens/developers/keys.screen.tsx')),
});
const newKey = createRoute({
  getParentRoute: () => organization,
  path: 'developers/keys/new',
  ...screen(['developers', 'audit', 'parts'], () => import('../screens/developers/keys/new.screen.tsx')),
});
const webhooks = createRoute({
  getParentRoute: () => organization,
  path: 'developers/webhooks',
  ...screen(['developers', 'webhooks'], () => import('../screens/developers/webhooks.screen.tsx')),
});
const newWebhook = createRoute({
  getParentRoute: () => organization,
  path: 'developers/webhooks/new',
  ...screen(['developers', 'webhooks'], () => import('../screens/developers/webhooks/new.screen.tsx')),
});
const webhook = createRoute({
  getParentRoute: () => organization,
  path: 'developers/webhooks/$webhook',
  validateSearch: filters('status', 'from', 'to', 'job'),
  ...screen(['webhooks', 'audit', 'parts'], () => import('../screens/developers/webhooks/webhook.screen.tsx')),
});
const editWebhook = createRoute({
  getParentRoute: () => organization,
  path: 'developers/webhooks/$webhook/edit',
  ...screen(['developers', 'webhooks', 'parts'], () => import('../screens/developers/webhooks/edit.screen.tsx')),
});
const delivery = createRoute({
  getParentRoute: () => organization,
  path: 'developers/webhooks/$webhook/deliveries/$delivery',
  ...screen(['webhooks', 'audit'], () => import('../screens/developers/webhooks/deliveries/delivery.screen.tsx')),
});
const agents = createRoute({
  getParentRoute: () => organization,
  path: 'developers/agents',
  ...screen(['developers', 'agents'], () => import('../screens/developers/agents.screen.tsx')),
});
const audit = createRoute({
  getParentRoute: () => organization,
  path: 'developers/audit',
  validateSearch: filters('actor', 'action', 'object', 'from', 'to'),
  ...screen(['developers', 'audit', 'parts'], () => import('../screens/developers/audit.screen.tsx')),
});
const settings = createRoute({
  getParentRoute: () => organization,
  path: 'organization',
  validateSearch: filters('part'),
  ...screen(['organization', 'hosts', 'parts', 'site'], () => import('../screens/organization.screen.tsx')),
});

export const organizationRoutes = [
  ...[home, events, newEvent, contacts, contact, team, groups, settings],
  ...[developers, keys, newKey, webhooks, newWebhook, webhook, editWebhook, delivery, agents, audit],
] as const;
