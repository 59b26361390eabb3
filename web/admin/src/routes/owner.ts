import { createRoute } from '@tanstack/react-router';
import { screen } from '../frame/route.ts';
import { organization } from './base.ts';

/** Who has access, keys and webhooks, and the organization itself. */
const team = createRoute({
  getParentRoute: () => organization,
  path: 'team',
  ...screen(['team'], () => import('../screens/team.tsx')),
});
const groups = createRoute({
  getParentRoute: () => organization,
  path: 'groups',
  ...screen(['groups'], () => import('../screens/groups.tsx')),
});
const developers = createRoute({
  getParentRoute: () => organization,
  path: 'developers',
  ...screen(['developers'], () => import('../screens/developers.tsx')),
});
const settings = createRoute({
  getParentRoute: () => organization,
  path: 'organization',
  ...screen(['organization'], () => import('../screens/organization.tsx')),
});

export const ownerRoutes = [team, groups, developers, settings] as const;
