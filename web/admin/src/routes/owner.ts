import { createRoute } from '@tanstack/react-router';
import { filters, screen } from '../frame/route.ts';
import { organization } from './base.ts';

/** Who has access, keys and webhooks, and the organization itself. */
const team = createRoute({
  getParentRoute: () => organization,
  path: 'team',
  validateSearch: filters('member', 'invite'),
  ...screen(['team', 'audit', 'parts'], () => import('../screens/team.tsx')),
});
const groups = createRoute({
  getParentRoute: () => organization,
  path: 'groups',
  ...screen(['groups', 'parts'], () => import('../screens/groups.tsx')),
});
const developers = createRoute({
  getParentRoute: () => organization,
  path: 'developers',
  ...screen(['developers'], () => import('../screens/developers.tsx')),
});
const keys = createRoute({
  getParentRoute: () => organization,
  path: 'developers/keys',
  validateSearch: filters('key'),
  ...screen(['developers', 'audit'], () => import('../screens/developers/keys.tsx')),
});
const newKey = createRoute({
  getParentRoute: () => organization,
  path: 'developers/keys/new',
  ...screen(['developers', 'audit'], () => import('../screens/developers/new-key.tsx')),
});
const webhooks = createRoute({
  getParentRoute: () => organization,
  path: 'developers/webhooks',
  ...screen(['developers', 'webhooks'], () => import('../screens/developers/webhooks.tsx')),
});
const newWebhook = createRoute({
  getParentRoute: () => organization,
  path: 'developers/webhooks/new',
  ...screen(['developers', 'webhooks'], () => import('../screens/developers/new-webhook.tsx')),
});
const webhook = createRoute({
  getParentRoute: () => organization,
  path: 'developers/webhooks/$webhook',
  validateSearch: filters('status', 'from', 'to', 'job'),
  ...screen(['webhooks', 'audit'], () => import('../screens/developers/webhook.tsx')),
});
const editWebhook = createRoute({
  getParentRoute: () => organization,
  path: 'developers/webhooks/$webhook/edit',
  ...screen(['developers', 'webhooks', 'parts'], () => import('../screens/developers/edit-webhook.tsx')),
});
const delivery = createRoute({
  getParentRoute: () => organization,
  path: 'developers/webhooks/$webhook/deliveries/$delivery',
  ...screen(['webhooks', 'audit'], () => import('../screens/developers/delivery.tsx')),
});
const agents = createRoute({
  getParentRoute: () => organization,
  path: 'developers/agents',
  ...screen(['developers', 'agents'], () => import('../screens/developers/agents.tsx')),
});
const audit = createRoute({
  getParentRoute: () => organization,
  path: 'developers/audit',
  validateSearch: filters('actor', 'action', 'object', 'from', 'to'),
  ...screen(['developers', 'audit'], () => import('../screens/developers/audit.tsx')),
});
const settings = createRoute({
  getParentRoute: () => organization,
  path: 'organization',
  validateSearch: filters('part'),
  ...screen(['organization', 'hosts', 'parts', 'site'], () => import('../screens/organization.tsx')),
});

export const ownerRoutes = [
  ...[team, groups, settings],
  ...[developers, keys, newKey, webhooks, newWebhook, webhook, editWebhook, delivery, agents, audit],
] as const;
