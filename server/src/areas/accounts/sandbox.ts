import type { SignedIn } from '@turnout/contract';
import { type Id, newId } from '../../common/ids.ts';
import { networkOf } from '../../common/network.ts';
import { refuse } from '../../common/refusal.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { addToOrganization, lockAccount } from './accounts.ts';
import type { AccountCall } from './call.ts';
import { enter, entered } from './enter.ts';
import { lookAtLink, makeLink } from './links.ts';
import { takeOfHour, throttled } from './throttle.ts';

const SIGN_INS_AN_HOUR = 60;
/** At example.org, which never receives mail. */
const MANAGER = { email: 'manager@sandbox.example.org', name: 'Robin Lake' };

/** The made-up manager of the sandbox, who is made if missing. Null if there is no sandbox. */
async function acrossOrganizationsManager(tx: Tx): Promise<Id | null> {
  const org = await tx.maybe<{ id: Id }>(sql`select id from organizations where sandbox order by created_at limit 1`);
  if (org === null) return null;
  const now = tx.clock.now();
  const [account] = await tx.all<{ id: Id }>(sql`
    insert into accounts as a (id, email, name, sandbox, created_at, updated_at)
    values (${newId(now)}, ${MANAGER.email}, ${MANAGER.name}, true, ${now}, ${now})
    on conflict (lower(email)) do update set sandbox = true returning id`);
  const member = await tx.maybe(sql`select 1 from members where org_id = ${org.id} and account_id = ${account!.id}`);
  if (member === null) await addToOrganization(tx, org.id, account!.id, 'manager');
  return account!.id;
}

/** Makes the link that walks into the sandbox. It works for everybody who has it, as often as wanted, until it expires. */
export async function makeSandboxLink(tx: Tx): Promise<string | null> {
  const account = await acrossOrganizationsManager(tx);
  return account === null ? null : makeLink(tx, { kind: 'sandbox', account, email: null });
}

export async function signInToSandbox(call: AccountCall<{ token: string }, 'none'>): Promise<SignedIn> {
  const result = await call.work(async (tx) => {
    const link = call.settings.sandbox ? await lookAtLink(tx, call.body.token, ['sandbox']) : null;
    if (link?.account == null) return refuse('link_not_valid');
    const network = networkOf(call.request.address);
    const wait = await takeOfHour(tx, call.secrets, `sandbox ${network}`, SIGN_INS_AN_HOUR);
    if (wait > 0) throttled(wait, 'The sandbox was entered many times from your network');
    const account = (await lockAccount(tx, link.account)) ?? refuse('link_not_valid');
    return enter(tx, call, account, { method: 'sandbox', secondFactor: false });
  });
  return entered(call, result);
}
