import { createRoute } from '@tanstack/react-router';
import { filters, screen } from '../frame/route.ts';
import { account, organization, root } from './base.ts';

/** Signing in and what is around it, the account, and Home. Tokens of links stand in the fragment. */
const signIn = createRoute({
  getParentRoute: () => root,
  path: '-/sign-in',
  validateSearch: filters('then', 'email', 'error'),
  ...screen(['sign-in'], () => import('../screens/sign-in.tsx')),
});
const start = createRoute({
  getParentRoute: () => root,
  path: '-/start',
  ...screen(['start', 'sign-in'], () => import('../screens/start.tsx')),
});
const invitation = createRoute({
  getParentRoute: () => root,
  path: '-/invitation',
  ...screen(['start', 'sign-in'], () => import('../screens/invitation.tsx')),
});
const link = createRoute({
  getParentRoute: () => root,
  path: '-/link',
  ...screen(['sign-in'], () => import('../screens/link.tsx')),
});
const sandbox = createRoute({
  getParentRoute: () => root,
  path: '-/sandbox',
  ...screen(['sign-in'], () => import('../screens/sandbox.tsx')),
});
const email = createRoute({
  getParentRoute: () => root,
  path: '-/email',
  ...screen(['account'], () => import('../screens/email.tsx')),
});
const accountScreen = createRoute({
  getParentRoute: () => account,
  path: '-/account',
  ...screen(['account', 'sign-in'], () => import('../screens/account.tsx')),
});
const home = createRoute({
  getParentRoute: () => organization,
  path: '/',
  ...screen(['home'], () => import('../screens/home.tsx')),
});

export const peopleRoutes = {
  root: [signIn, start, invitation, link, sandbox, email],
  account: [accountScreen],
  organization: [home],
} as const;
