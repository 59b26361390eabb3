import type { SignedIn } from '@turnout/client';
import { filters } from './filters.ts';

/**
 * Where to go after signing in, from `?then=`. Only a path of the app is taken, so that a link from elsewhere cannot send a person
 * who has just typed a password to another site. Null: nowhere in particular.
 */
export function safeThen(then: unknown): string | null {
  if (typeof then !== 'string' || then.length > 2000) return null;
  // As a browser reads it: `//host`, `/\host` and tabs in between would lead elsewhere.
  const url = URL.canParse(then, 'http://app.invalid') ? new URL(then, 'http://app.invalid') : null;
  if (url === null || url.origin !== 'http://app.invalid') return null;
  if (!url.pathname.startsWith('/app/') || /^\/app\/(-\/sign-in|api|assets)(\/|$)/.test(url.pathname)) return null;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** The address of the sign-in screen that leads back to where one is. */
export function signInAddress(from: { pathname: string; search: string }): string {
  const then = safeThen(`${from.pathname}${from.search}`);
  return then === null ? '/app/-/sign-in' : `/app/-/sign-in?then=${encodeURIComponent(then)}`;
}

/** What the address of the sign-in screen may say. */
export const signInFilters = filters('then', 'email', 'error');

/** Where to go after signing in: to where one was, to the organization that the server names, or to the one used last. */
export const addressAfter = ({ organization }: SignedIn, then: unknown): string =>
  safeThen(then) ?? (organization === null ? '/app' : `/app/${encodeURIComponent(organization)}`);
