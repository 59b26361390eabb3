import { generateRegistrationOptions } from '@simplewebauthn/server';
import type { Passkey, PasskeyAttestation } from '@turnout/contract';
import { type Id, toUuid } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import type { AccountRow } from './accounts.ts';
import { acrossOrganizationsAudit } from './audit.ts';
import type { AccountCall } from './call.ts';
import { STEP_MS } from './cookies.ts';
import { endEverythingElse } from './factors.ts';
import { dropRemovedFactor, lockOwnAccount } from './own-account.ts';
import { ALGORITHMS, checkNewPasskey, PasskeyFault } from './passkey-check.ts';
import { type RelyingParty, requireParty, userHandleOf } from './passkey-party.ts';
import {
  deletePasskey,
  insertPasskey,
  type PasskeyRow,
  passkeyShape,
  passkeysOf,
  renamePasskey,
} from './passkey-queries.ts';
import type { Challenge } from './passkey-sign-in.ts';
import { beginStep, takeStep } from './steps.ts';

const MAX_PASSKEYS = 20;

/** Begins to make a passkey for the account that is signed in. */
export async function startPasskey(call: AccountCall<unknown, 'proved'>): Promise<{ options: unknown }> {
  const party = requireParty(call.settings.publicUrl);
  const { account, email, name } = call.session;
  const { options, token } = await call.work(async (tx) => {
    const existing = await passkeysOf(tx, account);
    requireRoom(existing);
    const options = await optionsFor(party, { id: account, email, name }, existing);
    const data: Challenge = { challenge: options.challenge };
    return { options, token: await beginStep(tx, call, { kind: 'new_passkey', account, data }) };
  });
  call.cookies.setStep(token);
  return { options };
}

const optionsFor = (
  party: RelyingParty,
  { id, email, name }: { id: Id; email: string; name: string },
  existing: PasskeyRow[],
) =>
  generateRegistrationOptions({
    rpName: 'Turnout',
    rpID: party.id,
    userName: email,
    userDisplayName: name,
    userID: new Uint8Array(Buffer.from(userHandleOf(id), 'base64url')),
    timeout: STEP_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    // Signing in asks for no name, so the authenticator has to keep the passkey; and it stands for two factors, so it has to check
    // who holds it.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: existing.map((one) => ({
      id: one.credential_id.toString('base64url'),
      transports: one.transports,
    })),
  });

export async function addPasskey(
  call: AccountCall<{ credential: PasskeyAttestation; name: string }, 'proved'>,
): Promise<Passkey> {
  const party = requireParty(call.settings.publicUrl);
  const result = await call.work(async (tx) => {
    const account = await lockOwnAccount(tx, call.session);
    const step = await takeStep<Challenge>(tx, call, 'new_passkey');
    if (step === null)
      return { refused: 'this browser has no challenge: it expired, was used, or was given to another one' };
    if (step.account !== account.id) return { refused: 'the challenge was given to another account' };
    requireRoom(await passkeysOf(tx, account.id));
    return keep(tx, call, account, party, step.data.challenge);
  });
  if ('refused' in result) return refuse('passkey_not_valid', { log: result.refused });
  call.cookies.clearStep();
  return result;
}

async function keep(
  tx: Tx,
  call: AccountCall<{ credential: PasskeyAttestation; name: string }, 'proved'>,
  account: AccountRow,
  party: RelyingParty,
  challenge: string,
): Promise<Passkey | { refused: string }> {
  const { credential, name } = call.body;
  try {
    const made = await insertPasskey(tx, account.id, name, await checkNewPasskey(credential, challenge, party));
    if (made === null) throw new PasskeyFault('this credential belongs to an account already');
    await noteChange(tx, call, account, 'account.passkey_added', made);
    // The device has just checked who holds it, so this session has shown a second factor.
    await tx.run(sql`update account_sessions set second_factor = true where id = ${call.session.id}`);
    return passkeyShape(made);
  } catch (error) {
    if (error instanceof PasskeyFault) return { refused: error.message };
    throw error;
  }
}

export async function changePasskey(call: AccountCall<{ name: string }, 'any'>): Promise<Passkey> {
  const id = toUuid(call.params.passkey!);
  const row = await call.work((tx) => renamePasskey(tx, call.session.account, id, call.body.name));
  return row === null ? refuse('not_found', { message: 'You have no such passkey.' }) : passkeyShape(row);
}

/** The last one may be removed as well: a link by mail always remains. */
export async function removePasskey(call: AccountCall<unknown, 'proved'>): Promise<undefined> {
  const id = toUuid(call.params.passkey!);
  await call.work(async (tx) => {
    const account = await lockOwnAccount(tx, call.session);
    const row = await deletePasskey(tx, account.id, id);
    if (row === null) return refuse('not_found', { message: 'You have no such passkey.' });
    await noteChange(tx, call, account, 'account.passkey_removed', row);
    await dropRemovedFactor(tx, call.session, 'passkey');
  });
  return undefined;
}

/** A passkey is a second factor: when one changes, whoever is signed in elsewhere has to sign in again. */
async function noteChange(
  tx: Tx,
  call: AccountCall<unknown, 'proved'>,
  account: AccountRow,
  action: string,
  { name }: PasskeyRow,
): Promise<void> {
  await endEverythingElse(tx, call, account);
  await acrossOrganizationsAudit(tx, account, action, call.request, { details: { passkey: name } });
}

function requireRoom(existing: readonly unknown[]): void {
  if (existing.length >= MAX_PASSKEYS)
    refuse('invalid_state', {
      message: `You have ${MAX_PASSKEYS} passkeys, the most an account can have. Remove one first.`,
    });
}
