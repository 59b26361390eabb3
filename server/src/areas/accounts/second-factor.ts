import type { SignedIn } from '@turnout/contract';
import { refuse } from '../../common/refusal.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { type AccountRow, acrossOrganizationsMemberships, lockAccount } from './accounts.ts';
import { auditFailedTry } from './audit.ts';
import type { AccountCall } from './call.ts';
import { type Entered, enter, entered, type SecondFactorData } from './enter.ts';
import { allOf, bucketsOf, forgive } from './password-sign-in.ts';
import { useCode } from './recovery-codes.ts';
import { countStepTry, endStep, findStep, lockStep } from './steps.ts';
import { takeTry } from './throttle.ts';
import { stepOf } from './totp.ts';

/** After so many wrong codes one begins again with the password. */
const TRIES = 5;

/**
 * | step | moved by | next |
 * |---|---|---|
 * | asked | the right code | the session; the step is gone |
 * | asked | a wrong code | asked, one try less; after the fifth the step is gone |
 * | asked | ten minutes, or a new sign-in in this browser | gone |
 */
export async function signInWithSecondFactor(call: AccountCall<{ code: string }, 'none'>): Promise<SignedIn> {
  const outcome = await call.work((tx) => attempt(tx, call));
  if (outcome === 'over') {
    call.cookies.clearStep();
    return refuse('sign_in_step_over');
  }
  return outcome === 'wrong' ? refuse('second_factor_failed') : entered(call, outcome);
}

/** A wrong code is returned and not thrown, because that it was tried has to be committed. */
async function attempt(tx: Tx, call: AccountCall<{ code: string }, 'none'>): Promise<Entered | 'over' | 'wrong'> {
  const pendingStep = await findStep<SecondFactorData>(tx, call, 'second_factor');
  if (pendingStep === null || pendingStep.account === null) return 'over';
  const account = await lockAccount(tx, pendingStep.account);
  const step = await lockStep<SecondFactorData>(tx, call, 'second_factor');
  if (account === null || step === null) return 'over';
  const buckets = bucketsOf(call, 'second factor', account.email, account);
  await takeTry(tx, call.secrets, allOf(buckets));
  const used = await useFactor(tx, call, account, call.body.code);
  if (used === null) {
    const left = TRIES - step.tries - 1;
    await (left > 0 ? countStepTry(tx, step.hash) : endStep(tx, step.hash));
    const members = await acrossOrganizationsMemberships(tx, account.id);
    auditFailedTry(tx, members, call.request, { method: step.data.method, second_factor: true });
    return 'wrong';
  }
  await endStep(tx, step.hash);
  await forgive(tx, call, buckets);
  const { method, organization } = step.data;
  return enter(tx, call, account, { method, organization, secondFactor: true, details: { factor: used } });
}

/** Uses up a code of the authenticator app or a recovery code. The account is locked, so no code works twice. */
async function useFactor(
  tx: Tx,
  { secrets }: AccountCall,
  account: AccountRow,
  code: string,
): Promise<'totp' | 'recovery_code' | null> {
  const digits = code.replaceAll(/\s+/g, '');
  if (!/^\d{6}$/.test(digits)) return (await useCode(tx, secrets, account.id, code)) ? 'recovery_code' : null;
  if (account.totp_secret === null) return null;
  const step = stepOf(secrets.decrypt(account.totp_secret), digits, tx.clock.now());
  if (step === null || (account.totp_step !== null && step <= Number(account.totp_step))) return null;
  await tx.run(sql`update accounts set totp_step = ${step} where id = ${account.id}`);
  return 'totp';
}
