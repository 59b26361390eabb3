import { createRoute } from '@tanstack/react-router';
import { screen } from '../frame/route.ts';
import { signInFilters } from '../frame/then.ts';
import { account, organization, root } from './base.ts';

/** Signing in and what is around it, the account, and Home. Tokens of links stand in the fragment. */
const signIn = createRoute({
  getParentRoute: () => root,
  path: '-/sign-in',
  validateSearch: signInFilters,
  ...screen(['sign-in'], () => import('../screens/sign-in-again.tsx')),
});
const start = createRoute({
  getParentRoute: () => root,
  path: '-/start',
  ...screen(['start', 'sign-in', 'sign-in-steps', 'password'], () => import('../screens/start.tsx')),
});
const invitation = createRoute({
  getParentRoute: () => root,
  path: '-/invitation',
  ...screen(['start', 'sign-in', 'sign-in-steps', 'password'], () => import('../screens/invitation.tsx')),
});
const link = createRoute({
  getParentRoute: () => root,
  path: '-/link',
  ...screen(['link', 'sign-in', 'sign-in-steps'], () => import('../screens/link.tsx')),
});
const sandbox = createRoute({
  getParentRoute: () => root,
  path: '-/sandbox',
  ...screen(['link', 'sign-in'], () => import('../screens/sandbox.tsx')),
});
const email = createRoute({
  getParentRoute: () => root,
  path: '-/email',
  ...screen(['account'], () => import('../screens/email.tsx')),
});
const accountScreen = createRoute({
  getParentRoute: () => account,
  path: '-/account',
  ...screen(['account', 'sign-in', 'password'], () => import('../screens/account.tsx')),
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
