import type { Id } from '../../common/ids.ts';
import { insertRow } from '../../store/rows.ts';
import { type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import type { AccountCall } from './call.ts';
import { STEP_MS } from './cookies.ts';
import { hashToken, newToken } from './tokens.ts';

/** An account has at most so many steps under way: the oldest makes room for a new one. */
const MAX_STEPS = 50;

export type StepKind = 'second_factor' | 'passkey' | 'new_passkey' | 'new_totp' | 'oidc';

export interface Step<Data> {
  hash: Buffer;
  account: Id | null;
  tries: number;
  data: Data;
}

/**
 * Begins a step of signing in, in one browser: what was proved so far, or the challenge that has to be answered next. Returns the
 * token for the cookie (`cookies.setStep`), which goes out once the transaction has committed. A step that this browser had begun
 * before ends.
 */
export async function beginStep(
  tx: Tx,
  { secrets, cookies }: AccountCall,
  step: { kind: StepKind; account: Id | null; data: object },
): Promise<string> {
  const now = tx.clock.now();
  if (cookies.step !== undefined) await endStep(tx, hashToken(cookies.step));
  if (step.account !== null) {
    await tx.run(sql`
      delete from sign_in_steps where hash in (
        select hash from sign_in_steps where account_id = ${step.account} order by created_at desc offset ${MAX_STEPS - 1})`);
  }
  const token = newToken();
  await insertRow(tx, 'sign_in_steps', {
    hash: hashToken(token),
    kind: step.kind,
    account_id: step.account,
    data: secrets.encrypt(Buffer.from(JSON.stringify(step.data))),
    created_at: now,
    expires_at: new Date(now.getTime() + STEP_MS),
  });
  return token;
}

interface Row {
  hash: Buffer;
  account_id: Id | null;
  tries: number;
  data: Buffer;
}

async function find<Data>(tx: Tx, call: AccountCall, kind: StepKind, lock: Sql): Promise<Step<Data> | null> {
  const token = call.cookies.step;
  if (token === undefined) return null;
  const row = await tx.maybe<Row>(sql`
    select hash, account_id, tries, data from sign_in_steps
    where hash = ${hashToken(token)} and kind = ${kind} and expires_at > ${tx.clock.now()} ${lock}`);
  if (row === null) return null;
  const data = JSON.parse(call.secrets.decrypt(row.data).toString()) as Data;
  return { hash: row.hash, account: row.account_id, tries: row.tries, data };
}

/** The step that this browser has begun. Null: there is none of this kind, or it took too long. */
export const findStep = <Data>(tx: Tx, call: AccountCall, kind: StepKind): Promise<Step<Data> | null> =>
  find<Data>(tx, call, kind, sql``);
/** The same, locked. Lock the account first. */
export const lockStep = <Data>(tx: Tx, call: AccountCall, kind: StepKind): Promise<Step<Data> | null> =>
  find<Data>(tx, call, kind, sql`for update`);

/** Takes the step away, so that it works once. Null: there is none, or another request was faster. */
export async function takeStep<Data>(tx: Tx, call: AccountCall, kind: StepKind): Promise<Step<Data> | null> {
  const step = await lockStep<Data>(tx, call, kind);
  if (step !== null) await endStep(tx, step.hash);
  return step;
}

export const endStep = (tx: Tx, hash: Buffer): Promise<number> =>
  tx.run(sql`delete from sign_in_steps where hash = ${hash}`);

export const countStepTry = (tx: Tx, hash: Buffer): Promise<number> =>
  tx.run(sql`update sign_in_steps set tries = tries + 1 where hash = ${hash}`);
