import { createRootRoute, createRoute } from '@tanstack/react-router';
import { AccountFrame } from '../frame/account-frame.tsx';
import { NotFound } from '../frame/failures.tsx';
import { OrganizationFrame } from '../frame/organization-frame.tsx';
import { Root } from '../frame/root.tsx';

export const root = createRootRoute({ component: Root, notFoundComponent: NotFound });

/** Screens of an organization, in the shell: /app/{org}/… */
export const organization = createRoute({
  getParentRoute: () => root,
  path: '$org',
  component: OrganizationFrame,
});

/** Screens of a signed-in person that belong to no organization, in the shell: /app/-/account */
export const account = createRoute({ getParentRoute: () => root, id: 'account', component: AccountFrame });
