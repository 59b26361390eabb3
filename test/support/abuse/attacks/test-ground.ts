import type { Id } from '../../../../server/src/common/ids.ts';
import { toUuid } from '../../../../server/src/common/ids.ts';
import { Secrets } from '../../../../server/src/common/secrets.ts';
import { Links } from '../../../../server/src/road/for-areas/links.ts';
import { sql } from '../../../../server/src/store/sql.ts';
import type { TestTurnout } from '../../turnout.ts';
import type { Ground } from './attack.ts';

/** An organization of a test, in which somebody has a key. `send` reaches the server that is attacked. */
export async function groundIn(t: TestTurnout, org: string, send: Ground['send']): Promise<Ground> {
  const { secret: key } = await t.key(org);
  const links = new Links(new Secrets(Buffer.alloc(32, 7)), t.clock, t.url);
  const { id } = await t.system((tx) => tx.one<{ id: Id }>(sql`select id from organizations where code = ${org}`));
  return {
    org,
    key,
    send,
    linkTo: async ({ id: registration, contact }) => {
      const opens = { org: id, registration: toUuid(registration), attendee: null, email: contact.email ?? '' };
      return `/o/${org}/my/${links.manageToken(opens)}`;
    },
  };
}
