import type { AccountOperation } from '../../../server/src/areas/accounts/index.ts';
import type { Operation } from '../../../server/src/road/operation.ts';
import { sampleOf } from '../matrix/schema.ts';
import { HOME, type World } from '../matrix/world.ts';
import type { Victim } from './rows.ts';

const PREFIX = '/app/api/-';
const BODY_LIMIT = 64 * 1024;
const NOBODY = '0'.repeat(26);

/** An operation of an account, called by a member who is there for it alone. */
export async function accountVictim(world: World, account: AccountOperation): Promise<Victim> {
  const names = [...account.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const at = Object.fromEntries(names.map((name) => [name, null]));
  // What the rows are made from. An account operation does not run on the road, so it has no area and no query.
  const op = { ...account, at, tag: 'Account', bodyLimit: BODY_LIMIT } as unknown as Operation;
  const refer = () => Promise.reject(new Error('account operations refer to nothing'));
  const body = account.body === undefined ? undefined : await sampleOf(account.body, refer);
  const session = await world.newSession(HOME.org, 'owner');
  return {
    op,
    subject: { path: {}, parents: {}, body, query: {} },
    send: (sent = {}) => ({
      method: account.method,
      path: `${PREFIX}${account.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => sent.path?.[name] ?? NOBODY)}${sent.query === undefined ? '' : `?${sent.query}`}`,
      headers: {
        cookie: `turnout_session=${session}`,
        'sec-fetch-site': 'same-origin',
        ...(sent.body !== undefined && { 'content-type': 'application/json' }),
        ...sent.headers,
      },
      body: sent.body ?? null,
    }),
  };
}
