import type { Clock } from '../../clock.ts';
import type { Pool } from '../../store/pool.ts';
import { transaction } from '../../store/tx.ts';
import { makeSandboxLink } from './sandbox.ts';
import { makeFirstLink } from './start.ts';

/** What `npm start` prints: paths below the address of the installation, with tokens in their fragments. */
export interface WelcomeLinks {
  /** Makes the first organization and its owner. Null once there is one. */
  first: string | null;
  /** Walks into the sandbox. Null if there is none. */
  sandbox: string | null;
}

export const makeWelcomeLinks = (pool: Pool, clock: Clock, sandbox: boolean): Promise<WelcomeLinks> =>
  transaction(pool, clock, { role: 'system' }, async (tx) => {
    const path = (screen: string, token: string | null) => (token === null ? null : `/app/-/${screen}#${token}`);
    return {
      first: path('start', await makeFirstLink(tx)),
      sandbox: path('sandbox', sandbox ? await makeSandboxLink(tx) : null),
    };
  });
