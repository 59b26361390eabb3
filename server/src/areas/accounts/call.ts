import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import type { Secrets } from '../../common/secrets.ts';
import type { Oidc } from '../../outside/oidc.ts';
import type { License } from '../../road/gate/license.ts';
import type { Pool } from '../../store/pool.ts';
import type { Tx } from '../../store/tx.ts';
import type { Cookies } from './cookies.ts';
import type { RequestOrigin } from './origin.ts';
import type { Passwords } from './passwords.ts';
import type { Refused } from './refused.ts';
import type { SignedInSession } from './sessions.ts';

export type { RequestOrigin } from './origin.ts';

/** What an operator decides about accounts. */
export interface AccountSettings {
  /** Where the installation is reached, without a slash at the end. On https, cookies are bound to it. */
  publicUrl: string;
  /** Whether anybody may make an organization. */
  signup: 'open' | 'invited';
  /** Whether the sandbox is there. */
  sandbox: boolean;
  /** The provider of OpenID Connect. Null: there is none. */
  oidc: Oidc | null;
}

/** What account operations are made of. */
export interface AccountParts {
  pool: Pool;
  clock: Clock;
  log: Logger;
  secrets: Secrets;
  license: License;
  passwords: Passwords;
  refused: Refused;
  settings: AccountSettings;
  /** Has the worker look for mails at once. */
  wakeMails: () => void;
}

export type SessionNeed = 'none' | 'any' | 'proved';

/** One call of an account operation. The work reaches everything through this argument. */
export interface AccountCall<Body = unknown, S extends SessionNeed = SessionNeed> extends AccountParts {
  body: Body;
  params: Record<string, string>;
  request: RequestOrigin;
  cookies: Cookies;
  /** Null if the operation needs none; then `signedIn` looks for one. */
  session: S extends 'none' ? null : SignedInSession;
  /** The session that came with the request, if it is there and has not ended. */
  signedIn(): Promise<SignedInSession | null>;
  /** Runs the work in one transaction that reaches every account. It may run again after a deadlock. */
  work<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}
