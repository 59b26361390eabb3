/**
 * A member scans in the browser without pairing. In place of the token of a device, the event is kept with the organization whose session
 * the browser has; the cookie itself is no business of ours. No token of a device begins like this.
 */
const PREFIX = 'session:';

export const sessionToken = (org: string): string => `${PREFIX}${org}`;

/** The organization in which the member is signed in; null for a paired device. */
export const orgOf = (token: string | null): string | null =>
  token?.startsWith(PREFIX) === true ? token.slice(PREFIX.length) : null;
