import { createRoute } from '@tanstack/react-router';
import { filters, screen } from '../frame/route.ts';
import { signInFilters } from '../frame/then.ts';
import { account, root } from './base.ts';

/** Signing in and what is around it, and the account: /app/-/… Tokens of links are in the fragment. */
const signIn = createRoute({
  getParentRoute: () => root,
  path: '-/sign-in',
  validateSearch: signInFilters,
  ...screen(['sign-in'], () => import('../screens/sign-in.screen.tsx')),
});
const start = createRoute({
  getParentRoute: () => root,
  path: '-/start',
  ...screen(['start', 'sign-in', 'sign-in-steps', 'password'], () => import('../screens/start.screen.tsx')),
});
const invitation = createRoute({
  getParentRoute: () => root,
  path: '-/invitation',
  ...screen(['start', 'sign-in', 'sign-in-steps', 'password'], () => import('../screens/invitation.screen.tsx')),
});
const link = createRoute({
  getParentRoute: () => root,
  path: '-/link',
  ...screen(['link', 'sign-in', 'sign-in-steps'], () => import('../screens/link.screen.tsx')),
});
const sandbox = createRoute({
  getParentRoute: () => root,
  path: '-/sandbox',
  ...screen(['link', 'sign-in'], () => import('../screens/sandbox.screen.tsx')),
});
const email = createRoute({
  getParentRoute: () => root,
  path: '-/email',
  ...screen(['account'], () => import('../screens/email.screen.tsx')),
});
const accountScreen = createRoute({
  getParentRoute: () => account,
  path: '-/account',
  validateSearch: filters('part'),
  ...screen(['account', 'sign-in', 'password'], () => import('../screens/account.screen.tsx')),
});

/** Before somebody is signed in. */
export const signingInRoutes = [signIn, start, invitation, link, sandbox, email] as const;
/** Of a signed-in person, in the shell. */
export const accountRoutes = [accountScreen] as const;
