import type { Account } from '@turnout/contract';
import { encode } from 'uqr';
import { invalidRequest, refuse } from '../../common/refusal.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import type { AccountRow } from './accounts.ts';
import { acrossOrganizationsAudit } from './audit.ts';
import type { AccountCall } from './call.ts';
import { dropLinks } from './links.ts';
import { dropRemovedFactor, lockOwnAccount } from './own-account.ts';
import { passwordFaults } from './passwords.ts';
import { accountOf } from './profile.ts';
import { renewCodes } from './recovery-codes.ts';
import { endSessions } from './sessions.ts';
import { beginStep, countStepTry, endStep, lockStep } from './steps.ts';
import { base32, newTotpSecret, stepOf, totpUri } from './totp.ts';

type Proved<Body = unknown> = AccountCall<Body, 'proved'>;

/**
 * A changed password or second factor ends what the old one had opened: all other sessions, sign-ins that are under way, and
 * links that were mailed. Whoever else had a hold on the account loses it.
 */
export async function endEverythingElse(tx: Tx, { session }: Proved, account: AccountRow): Promise<void> {
  await endSessions(tx, account.id, session.id);
  await tx.run(sql`delete from sign_in_steps where account_id = ${account.id}`);
  await dropLinks(tx, account.id);
}

export async function setPassword(call: Proved<{ password: string }>): Promise<Account> {
  const faults = passwordFaults(call.body.password);
  if (faults.length > 0) throw invalidRequest(faults);
  const hash = await call.passwords.hash(call.body.password);
  return call.work(async (tx) => {
    const account = await lockOwnAccount(tx, call.session);
    await tx.run(
      sql`update accounts set password_hash = ${hash}, updated_at = ${tx.clock.now()} where id = ${account.id}`,
    );
    await endEverythingElse(tx, call, account);
    await acrossOrganizationsAudit(tx, account, 'account.password_set', call.request);
    return accountOf(tx, call.session);
  });
}

/** The secret waits in a step of this browser until a code of the app shows that the app has it. */
export async function startTotp(call: Proved) {
  const secret = newTotpSecret();
  const token = await call.work((tx) =>
    beginStep(tx, call, {
      kind: 'new_totp',
      account: call.session.account,
      data: { secret: secret.toString('base64') },
    }),
  );
  call.cookies.setStep(token);
  const uri = totpUri(secret, call.session.email, 'Turnout');
  const { data, size } = encode(uri, { ecc: 'M', border: 0 });
  return { secret: base32(secret), uri, qr: svgPath(data), qr_size: size };
}

/** Draws the dark modules of a QR code as an SVG path, with one rectangle for each run of them in a row. */
function svgPath(modules: boolean[][]): string {
  const path: string[] = [];
  for (const [y, row] of modules.entries()) {
    for (let x = 0; x < row.length; x += 1) {
      if (!row[x]) continue;
      let end = x;
      while (row[end]) end += 1;
      path.push(`M${x} ${y}h${end - x}v1h${x - end}z`);
      x = end;
    }
  }
  return path.join('');
}

/** Wrong codes that one secret may be tried with: enough for typing mistakes. */
const TRIES = 20;

export async function confirmTotp(call: Proved<{ code: string }>): Promise<{ recovery_codes: string[] }> {
  const outcome = await call.work(async (tx) => {
    const account = await lockOwnAccount(tx, call.session);
    const step = await lockStep<{ secret: string }>(tx, call, 'new_totp');
    if (step === null || step.account !== account.id) return 'over';
    const secret = Buffer.from(step.data.secret, 'base64');
    const used = stepOf(secret, call.body.code, tx.clock.now());
    if (used === null) {
      await (step.tries + 1 < TRIES ? countStepTry(tx, step.hash) : endStep(tx, step.hash));
      return 'wrong';
    }
    await tx.run(sql`
      update accounts set totp_secret = ${call.secrets.encrypt(secret)}, totp_step = ${used}, updated_at = ${tx.clock.now()}
      where id = ${account.id}`);
    await endEverythingElse(tx, call, account);
    // This session has just shown both factors.
    await tx.run(sql`update account_sessions set second_factor = true where id = ${call.session.id}`);
    await acrossOrganizationsAudit(tx, account, 'account.totp_set', call.request);
    return renewCodes(tx, call.secrets, account.id);
  });
  if (outcome === 'wrong') return refuse('second_factor_failed');
  call.cookies.clearStep();
  return outcome === 'over' ? refuse('sign_in_step_over') : { recovery_codes: outcome };
}

export async function removeTotp(call: Proved): Promise<undefined> {
  return call.work(async (tx) => {
    const account = await lockOwnAccount(tx, call.session);
    if (account.totp_secret === null) return undefined;
    await tx.run(sql`
      update accounts set totp_secret = null, totp_step = null, updated_at = ${tx.clock.now()} where id = ${account.id}`);
    await tx.run(sql`delete from account_recovery_codes where account_id = ${account.id}`);
    await endEverythingElse(tx, call, account);
    await dropRemovedFactor(tx, call.session, 'totp');
    await acrossOrganizationsAudit(tx, account, 'account.totp_removed', call.request);
    return undefined;
  });
}

export async function renewRecoveryCodes(call: Proved): Promise<{ recovery_codes: string[] }> {
  return call.work(async (tx) => {
    const account = await lockOwnAccount(tx, call.session);
    if (account.totp_secret === null) {
      return refuse('invalid_state', {
        message: 'Recovery codes replace an authenticator app, and your account has none. Set one up first.',
      });
    }
    await acrossOrganizationsAudit(tx, account, 'account.recovery_codes_renewed', call.request);
    return { recovery_codes: await renewCodes(tx, call.secrets, account.id) };
  });
}
