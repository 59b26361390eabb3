import type { SignedIn } from '@turnout/contract';
import { refuse } from '../../common/refusal.ts';
import type { Tx } from '../../store/tx.ts';
import { type AccountRow, acrossOrganizationsMemberships } from './accounts.ts';
import { acrossOrganizationsAudit } from './audit.ts';
import type { AccountCall } from './call.ts';
import { rememberBrowser } from './known-browser.ts';
import { endSessionOf, LONGEST_MS, openSession, type SessionMethod } from './sessions.ts';
import { beginStep } from './steps.ts';

/** How somebody came in. */
export interface Entry {
  method: SessionMethod;
  /** Whether this includes a second factor: a passkey or OpenID Connect by themselves, else a code after the password or the link. */
  secondFactor: boolean;
  /** What the audit log says besides. */
  details?: Record<string, unknown>;
  /** Code of the organization to go to. Null: the only one that the account belongs to. */
  organization?: string | null;
}

/** What became of it: a session, or the step that asks for the second factor. */
export type Entered =
  | { kind: 'session'; token: string; account: AccountRow; organization: string | null }
  | { kind: 'second_factor'; token: string };

/** What the step keeps while the second factor is asked for. */
export interface SecondFactorData {
  method: SessionMethod;
  organization: string | null;
}

/**
 * Lets an account in that has proved who it is. Call it in the transaction that used the proof up, with the account locked, and
 * `entered` after the commit. The session that the browser had before ends: a new sign-in always has a new token, so nobody can
 * plant one beforehand.
 */
export async function enter(tx: Tx, call: AccountCall, account: AccountRow, entry: Entry): Promise<Entered> {
  if (account.sandbox && entry.method !== 'sandbox') refuse('sandbox_account');
  if (account.totp_secret !== null && !entry.secondFactor) {
    const data: SecondFactorData = { method: entry.method, organization: entry.organization ?? null };
    const token = await beginStep(tx, call, { kind: 'second_factor', account: account.id, data });
    return { kind: 'second_factor', token };
  }
  if (call.cookies.session !== undefined) await endSessionOf(tx, call.cookies.session);
  const { method, secondFactor } = entry;
  const token = await openSession(tx, { account: account.id, method, secondFactor }, call.request);
  const details = { method, second_factor: secondFactor, ...entry.details };
  await acrossOrganizationsAudit(tx, account, 'account.signed_in', call.request, { details });
  const memberships = await acrossOrganizationsMemberships(tx, account.id);
  const only = memberships.length === 1 ? memberships[0]!.org_code : null;
  return { kind: 'session', token, account, organization: entry.organization ?? only };
}

/** The answer to a sign-in, with its cookies. */
export function entered(call: AccountCall, result: Entered, cleared = false): SignedIn {
  if (result.kind === 'second_factor') {
    call.cookies.setStep(result.token);
    return { status: 'second_factor', organization: null, cleared };
  }
  call.cookies.clearStep();
  call.cookies.setSession(result.token, LONGEST_MS);
  if (!result.account.sandbox) rememberBrowser(call, result.account.id);
  return { status: 'signed_in', organization: result.organization, cleared };
}
