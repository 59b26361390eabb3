import { HOUR } from '../../clock.ts';
import type { Id } from '../../common/ids.ts';
import { networkOf } from '../../common/network.ts';
import { Refusal } from '../../common/refusal.ts';
import { sql } from '../../store/sql.ts';
import { jobTransaction, type Tx, transaction } from '../../store/tx.ts';
import { type DiscountRow, discountByCode } from '../events/index.ts';
import type { PageParts, PageRequest } from './parts.ts';

/*
 * Codes of discounts that visitors type. A wrong one is answered in the same way whatever is wrong with it, and nobody can try many: the
 * wrong ones are counted by event and network, and once there were too many, every code is refused until the hour is over.
 */

/** How many wrong codes one network may try in an event, in the hour that begins with the first of them. */
export const MAX_WRONG_CODES = 20;

/** What becomes of a code: the discount that it means, or why it is not taken. */
export type CodeCheck = { discount: DiscountRow } | { refusal: Refusal };

/** The network that a visitor comes from, as it is stored: its keyed hash is another one in each event. */
export const networkKey = (
  { secrets }: Pick<PageParts, 'secrets'>,
  event: Id,
  { ip }: Pick<PageRequest, 'ip'>,
): string =>
  secrets
    .sign(`network ${event} ${networkOf(ip)}`)
    .toString('hex')
    .slice(0, 32);

interface Guess {
  org: Id;
  event: Id;
  network: string;
  code: string;
}

export const checkCode = ({ pool, clock }: Pick<PageParts, 'pool' | 'clock'>, guess: Guess): Promise<CodeCheck> =>
  transaction(pool, clock, { role: 'app', org: guess.org }, (tx) => takeGuess(tx, guess));

async function takeGuess(tx: Tx, guess: Guess): Promise<CodeCheck> {
  const { org, event, network, code } = guess;
  // One guess of a network after the other, so that many that come at once are all counted before the next is answered.
  tx.send(sql`select pg_advisory_xact_lock(hashtextextended(${`codes ${event} ${network}`}, 0))`);
  const wait = await waitOf(tx, guess);
  if (wait > 0) return { refusal: new Refusal('rate_limited', { headers: { 'Retry-After': String(wait) } }) };
  const discount = await discountByCode(tx, org, event, code);
  if (discount !== null && holds(discount, tx.clock.now())) return { discount };
  await countWrong(tx, guess);
  return { refusal: new Refusal('discount_unknown') };
}

const holds = ({ active, opens_at, closes_at }: DiscountRow, now: Date): boolean =>
  active &&
  (opens_at === null || now.getTime() >= Date.parse(opens_at)) &&
  (closes_at === null || now.getTime() < Date.parse(closes_at));

/** The seconds until codes are looked at again; 0 if they are. */
async function waitOf(tx: Tx, { org, event, network }: Guess): Promise<number> {
  const now = tx.clock.now().getTime();
  const row = await tx.maybe<{ since: string; wrong: number }>(sql`
    select since, wrong from wrong_codes
    where org_id = ${org} and event_id = ${event} and network = ${network} and since > ${new Date(now - HOUR)}`);
  if (row === null || row.wrong < MAX_WRONG_CODES) return 0;
  return Math.max(1, Math.ceil((Date.parse(row.since) + HOUR - now) / 1000));
}

async function countWrong(tx: Tx, { org, event, network }: Guess): Promise<void> {
  const now = tx.clock.now();
  const isOver = sql`w.since <= ${new Date(now.getTime() - HOUR)}`;
  await tx.run(sql`
    insert into wrong_codes as w (org_id, event_id, network, since, wrong)
    values (${org}, ${event}, ${network}, ${now}, 1)
    on conflict (org_id, event_id, network) do update set
      since = case when ${isOver} then excluded.since else w.since end,
      wrong = case when ${isOver} then 1 else w.wrong + 1 end`);
}

/** Forgets what no longer counts. */
export const sweepWrongCodes = ({ pool, clock }: Pick<PageParts, 'pool' | 'clock'>): Promise<number> =>
  jobTransaction(pool, clock, { role: 'system' }, (tx) =>
    tx.run(sql`delete from wrong_codes where since <= ${new Date(clock.now().getTime() - HOUR)}`),
  );
