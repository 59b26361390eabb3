import type { AccountOperation } from './operation.ts';
import { ownOperations } from './operations.ts';
import { passkeyOperations } from './passkey-operations.ts';

/**
 * The operations on `/app/api/-` that this area offers. Another area that has some (invitations are accepted
 * there) declares them with `accountOperation` and adds them in areas/index.ts: it imports this area, so this
 * one cannot import it.
 */
export const accountOperations: AccountOperation[] = [...ownOperations, ...passkeyOperations];

export {
  type AccountRow,
  createAccount,
  findByEmail,
  lockByEmail,
} from './accounts.ts';
export { resetFactors, signOutAccount } from './by-operator.ts';
export type { AccountCall, AccountParts } from './call.ts';
export { type Entered, enter, entered } from './enter.ts';
export { crons } from './jobs.ts';
export { accountMailRenderer, isAccountMail } from './mails.ts';
export { oidcPages } from './oidc-pages.ts';
export { type AccountOperation, accountOperation } from './operation.ts';
export { Passwords, passwordFaults } from './passwords.ts';
export { proveEmail } from './prove-email.ts';
export { Refused } from './refused.ts';
export { accountRoutes, accountUrl } from './routes.ts';
export { isOpen, openSession, type SignedInSession } from './sessions.ts';
export { takeOfHour, throttled } from './throttle.ts';
export { makeWelcomeLinks, type WelcomeLinks } from './welcome.ts';
