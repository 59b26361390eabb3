import type { Session } from '@turnout/contract';
import { type Id, toUlid, toUuid } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import { sql } from '../../store/sql.ts';
import { acrossOrganizationsAudit } from './audit.ts';
import type { AccountCall } from './call.ts';
import { endSessions, type SessionMethod, UNUSED_MS } from './sessions.ts';

interface Row {
  id: Id;
  method: SessionMethod;
  second_factor: boolean;
  browser: string | null;
  address: string | null;
  created_at: string;
  last_used_at: string;
  expires_at: string;
}
/** The list shows the newest ones. `endOtherSessions` ends all. */
const MAX_SHOWN_SESSIONS = 200;

/** Where the account is signed in. Of the sandbox's manager, who is many people, only the own session is shown. */
export const listSessions = (call: AccountCall<unknown, 'any'>): Promise<{ data: Session[] }> =>
  call.work(async (tx) => {
    const now = tx.clock.now();
    const rows = await tx.all<Row>(sql`
      select id, method, second_factor, browser, address, created_at, last_used_at,
        least(expires_at, last_used_at + ${UNUSED_MS / 1000}::int * interval '1 second') as expires_at
      from account_sessions
      where account_id = ${call.session.account} and expires_at > ${now} and last_used_at > ${new Date(now.getTime() - UNUSED_MS)}
        and (not ${call.session.sandbox}::boolean or id = ${call.session.id})
      order by last_used_at desc, id desc limit ${MAX_SHOWN_SESSIONS}`);
    return { data: rows.map((row) => ({ ...row, id: toUlid(row.id), current: row.id === call.session.id })) };
  });

const ownerOf = ({ session }: AccountCall<unknown, 'any'>) => ({ id: session.account, name: session.name });

/** Ends one session. Ending the own one is signing out. */
export async function endSession(call: AccountCall<unknown, 'any'>): Promise<undefined> {
  const id = toUuid(call.params.session!);
  await call.work(async (tx) => {
    const ended = await tx.run(
      sql`delete from account_sessions where account_id = ${call.session.account} and id = ${id}`,
    );
    if (ended === 0) refuse('not_found', { message: 'There is no such session, or it has ended already.' });
    const action = id === call.session.id ? 'account.signed_out' : 'account.sessions_ended';
    await acrossOrganizationsAudit(tx, ownerOf(call), action, call.request);
  });
  if (id === call.session.id) call.cookies.clearSession();
  return undefined;
}

export async function endOtherSessions(call: AccountCall<unknown, 'any'>): Promise<undefined> {
  await call.work(async (tx) => {
    const ended = await endSessions(tx, call.session.account, call.session.id);
    if (ended > 0) {
      await acrossOrganizationsAudit(tx, ownerOf(call), 'account.sessions_ended', call.request, {
        details: { sessions: ended },
      });
    }
  });
  return undefined;
}
