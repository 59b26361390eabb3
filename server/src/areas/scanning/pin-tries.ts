import { HOUR, MINUTE } from '../../clock.ts';
import type { Id } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import type { Secrets } from '../../common/secrets.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';

/**
 * How often a PIN may be wrong within an hour: five times at one device, twenty times at all devices together. Then the member is
 * closed there for 15 minutes. Others may still unlock the device, and the member may go to another one.
 */
const CLOSED_MS = 15 * MINUTE;
const WINDOW_MS = HOUR;
const AT_DEVICE = 5;
const EVERYWHERE = 20;

export interface Tried {
  org: Id;
  member: Id;
  device: Id;
}

const bucketsOf = (secrets: Secrets, { org, member, device }: Tried) => ({
  atDevice: { key: secrets.sign(`pin tries ${org} ${member} ${device}`), most: AT_DEVICE },
  everywhere: { key: secrets.sign(`pin tries ${org} ${member}`), most: EVERYWHERE },
});

/**
 * Counts a try as a wrong one before the PIN is looked at, so that many tries at once cannot get around the limit. The buckets of a
 * member are locked in the same order by everybody.
 */
export async function takePinTry(tx: Tx, secrets: Secrets, tried: Tried): Promise<void> {
  const now = tx.clock.now();
  const before = (ms: number) => new Date(now.getTime() - ms);
  const { atDevice, everywhere } = bucketsOf(secrets, tried);
  for (const { key, most } of [everywhere, atDevice]) {
    const taken = await tx.maybe(sql`
      insert into sign_in_tries as t (bucket, tries, first_at, last_at) values (${key}, 1, ${now}, ${now})
      on conflict (bucket) do update set last_at = excluded.last_at,
        tries = case when t.tries >= ${most}::int or t.first_at <= ${before(WINDOW_MS)} then 1 else t.tries + 1 end,
        first_at = case when t.tries >= ${most}::int or t.first_at <= ${before(WINDOW_MS)} then excluded.first_at else t.first_at end
      where t.tries < ${most}::int or t.last_at <= ${before(CLOSED_MS)}
      returning 1`);
    if (taken !== null) continue;
    const { last_at } = await tx.one<{ last_at: string }>(sql`select last_at from sign_in_tries where bucket = ${key}`);
    refuseFor(Date.parse(last_at) + CLOSED_MS - now.getTime());
  }
}

/** The PIN was right: the try was none, and the device begins anew. What was wrong elsewhere still counts there. */
export async function returnPinTry(tx: Tx, secrets: Secrets, tried: Tried): Promise<void> {
  const { atDevice, everywhere } = bucketsOf(secrets, tried);
  await tx.run(sql`update sign_in_tries set tries = greatest(0, tries - 1) where bucket = ${everywhere.key}`);
  await tx.run(sql`delete from sign_in_tries where bucket = ${atDevice.key}`);
}

function refuseFor(ms: number): never {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  const minutes = Math.ceil(seconds / 60);
  return refuse('sign_in_throttled', {
    message: `This PIN was wrong too often. Wait ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}, or let someone else unlock the scanner.`,
    headers: { 'Retry-After': String(seconds) },
  });
}
