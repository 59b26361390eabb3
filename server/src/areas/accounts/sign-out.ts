import { acrossOrganizationsAudit } from './audit.ts';
import type { AccountCall } from './call.ts';
import { endSessionOf, findSession } from './sessions.ts';

/** Ends the session of this browser. Without a session there is nothing to do. */
export async function signOut(call: AccountCall<unknown, 'none'>): Promise<undefined> {
  const token = call.cookies.session;
  if (token !== undefined) {
    await call.work(async (tx) => {
      const session = await findSession(tx, token);
      const ended = await endSessionOf(tx, token);
      if (session === null || ended === 0) return;
      await acrossOrganizationsAudit(
        tx,
        { id: session.account, name: session.name },
        'account.signed_out',
        call.request,
      );
    });
  }
  call.cookies.clearSession();
  call.cookies.clearStep();
  return undefined;
}
