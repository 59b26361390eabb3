import { systemClock } from '../server/src/clock.ts';
import { toUuid } from '../server/src/common/ids.ts';
import { Secrets } from '../server/src/common/secrets.ts';
import { Links } from '../server/src/road/for-areas/links.ts';
import { Abuser } from '../test/support/abuse/abuser.ts';
import type { Ground } from '../test/support/abuse/attacks/index.ts';
import type { Bench } from './support.ts';
import type { BenchTurnout } from './turnout.ts';

const SECRET = Buffer.alloc(32, 7);
/** Known to the bench, which signs links with it. */
export const SECRET_KEY = SECRET.toString('base64');
const PATIENCE_MS = 900_000;
const CONNECTIONS = 32;

/** A new organization and somebody who has its key. */
export async function groundOf(bench: Bench, turnout: BenchTurnout, org: string): Promise<Ground> {
  const { id, key } = await turnout.org(org);
  const abuser = new Abuser(turnout.url, PATIENCE_MS, CONNECTIONS);
  bench.later(() => abuser.close());
  const links = new Links(new Secrets(SECRET), systemClock, turnout.url);
  return {
    org,
    key,
    send: (outgoing) => abuser.send(outgoing),
    linkTo: async ({ id: registration, contact }) => {
      const opens = { org: id, registration: toUuid(registration), attendee: null, email: contact.email ?? '' };
      return `/o/${org}/my/${links.manageToken(opens)}`;
    },
  };
}
