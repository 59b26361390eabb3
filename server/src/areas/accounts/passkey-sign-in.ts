import { generateAuthenticationOptions } from '@simplewebauthn/server';
import type { PasskeyAssertion, SignedIn } from '@turnout/contract';
import { networkOf } from '../../common/network.ts';
import { refuse } from '../../common/refusal.ts';
import type { Tx } from '../../store/tx.ts';
import { type AccountRow, acrossOrganizationsMemberships, lockAccount } from './accounts.ts';
import { auditFailedTry } from './audit.ts';
import type { AccountCall } from './call.ts';
import { STEP_MS } from './cookies.ts';
import { type Entered, enter, entered } from './enter.ts';
import { checkAssertion, PasskeyFault } from './passkey-check.ts';
import { type RelyingParty, requireParty, userHandleOf } from './passkey-party.ts';
import { findPasskey, noteUse, type PasskeyRow } from './passkey-queries.ts';
import { beginStep, takeStep } from './steps.ts';
import { takeOfHour, throttled } from './throttle.ts';

/** What the step remembers of a challenge. */
export interface Challenge {
  challenge: string;
}

/** Anybody may ask for a challenge, and each is a row for ten minutes. */
const MAX_CHALLENGES_PER_HOUR = 2000;

/** The call with the cookie of the challenge in place of that of a sign-in which may be under way in another tab. */
const withChallenge = (call: AccountCall): AccountCall => ({ ...call, cookies: call.cookies.forPasskey() });

/** The browser asks the person which passkey to use: nobody says beforehand who they are. */
export async function startPasskeySignIn(call: AccountCall): Promise<{ options: unknown }> {
  const party = requireParty(call.settings.publicUrl);
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    userVerification: 'required',
    timeout: STEP_MS,
  });
  const token = await call.work(async (tx) => {
    const of = `passkey challenges ${networkOf(call.request.address)}`;
    const wait = await takeOfHour(tx, call.secrets, of, MAX_CHALLENGES_PER_HOUR);
    if (wait > 0) throttled(wait);
    const data: Challenge = { challenge: options.challenge };
    return beginStep(tx, withChallenge(call), { kind: 'passkey', account: null, data });
  });
  withChallenge(call).cookies.setStep(token);
  return { options };
}

/**
 * Signs in with a passkey. Whatever comes out, the challenge is used up, and a refusal is committed with its audit rows. That is why
 * the work returns the reason and the refusal is thrown afterwards.
 */
export async function signInWithPasskey(call: AccountCall<{ credential: PasskeyAssertion }>): Promise<SignedIn> {
  const party = requireParty(call.settings.publicUrl);
  const result = await call.work((tx) => tryPasskey(tx, call, party, call.body.credential));
  if ('refused' in result) return refuse('passkey_not_valid', { log: result.refused });
  withChallenge(call).cookies.clearStep();
  return entered(call, result);
}

async function tryPasskey(
  tx: Tx,
  call: AccountCall,
  party: RelyingParty,
  assertion: PasskeyAssertion,
): Promise<Entered | { refused: string }> {
  const credentialId = Buffer.from(assertion.id, 'base64url');
  const owner = await findPasskey(tx, credentialId);
  // The account is locked before the step, and the passkey is read again under its lock: two sign-ins with one passkey at once
  // see each other's counter.
  const account = owner === null ? null : await lockAccount(tx, owner.account_id);
  const step = await takeStep<Challenge>(tx, withChallenge(call), 'passkey');
  const passkey = account === null ? null : await findPasskey(tx, credentialId);
  if (step === null)
    return { refused: 'this browser has no challenge: it expired, was used, or was given to another one' };
  if (account === null || passkey === null || passkey.account_id !== account.id) return { refused: 'unknown passkey' };
  try {
    await usePasskey(tx, assertion, { passkey, account, challenge: step.data.challenge, party });
  } catch (error) {
    if (!(error instanceof PasskeyFault)) throw error;
    const members = await acrossOrganizationsMemberships(tx, account.id);
    auditFailedTry(tx, members, call.request, { method: 'passkey', passkey: passkey.name, reason: error.message });
    return { refused: `${error.message} (account ${account.id})` };
  }
  return enter(tx, call, account, { method: 'passkey', secondFactor: true, details: { passkey: passkey.name } });
}

interface PasskeyUse {
  passkey: PasskeyRow;
  account: AccountRow;
  challenge: string;
  party: RelyingParty;
}

async function usePasskey(
  tx: Tx,
  assertion: PasskeyAssertion,
  { passkey, account, challenge, party }: PasskeyUse,
): Promise<void> {
  const use = await checkAssertion(assertion, passkey.public_key, challenge, party);
  if (assertion.response.userHandle !== userHandleOf(account.id))
    throw new PasskeyFault('the passkey names another account than the one it belongs to');
  // A counter that does not grow means that the key was copied. Most passkeys are shared between devices and always send 0.
  const counts = use.counter > 0 || passkey.counter > 0;
  if (counts && use.counter <= passkey.counter)
    throw new PasskeyFault(
      `the counter went from ${passkey.counter} to ${use.counter}, so the passkey may have been copied`,
    );
  await noteUse(tx, passkey.id, use);
}
