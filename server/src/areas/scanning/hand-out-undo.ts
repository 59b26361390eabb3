import type { HandOut } from '@turnout/contract';
import { MINUTE } from '../../clock.ts';
import { toUlid } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import type { Work } from '../../road/operation.ts';
import { stampEvent } from '../../store/clocks.ts';
import { sql } from '../../store/sql.ts';
import { type EventRow, eventById } from '../events/index.ts';
import { readBooker, withOneLess, writeLines } from './hand-out-lines.ts';
import { aHandOut, type HandOutRow, handOutShape, readHandOuts } from './hand-out-record.ts';
import { bookerObject, groupOf } from './hand-outs.ts';
import { atDevice, type Decider, deciderOf, deviceObject } from './unlock.ts';

/** For so long a device may take back what it handed out itself: somebody touched the wrong line. */
const SLIP_MS = 5 * MINUTE;

/** Takes a hand-out back: the row stays and says so, and the unit can be handed out again. What was given away too often only gets marked. */
export async function undoHandOut(work: Work, event: EventRow, { id }: HandOutRow, reason: string): Promise<HandOut> {
  const { tx, org } = work;
  const stamp = await stampEvent(tx, org, event.id);
  // It was found before the clock was held: somebody else may have taken it back meanwhile.
  const [found] = await readHandOuts(tx, org, event.id, sql`h.id = ${id}`);
  if (found === undefined) return refuse('not_found');
  const { by, device } = await undoerOf(work, event, found);
  if (found.undone_at !== null) refuse('invalid_state', { message: 'This hand-out has already been taken back.' });
  await tx.run(sql`
    update hand_outs set undone_at = ${stamp}, undone_by = ${by.name}, undo_reason = ${reason}, updated_at = ${stamp}
    where org_id = ${org} and id = ${found.id}`);
  const booker = (await readBooker(tx, org, found)) ?? refuse('not_found');
  const lines = found.surplus ? null : withOneLess(booker.products, found);
  if (lines !== null) {
    const current = (await eventById(tx, org, event.id)) ?? refuse('not_found');
    await writeLines(tx, org, current, found, lines, stamp);
  }
  const [row] = await readHandOuts(tx, org, event.id, sql`h.id = ${found.id}`);
  work.changed({
    kind: 'hand_out',
    id: found.id,
    event: event.id,
    group: groupOf({ attendee_id: found.attendee_id, group_id: booker.group_id }, event),
    by,
    changes: { undone_at: [null, row!.undone_at] },
    details: {
      product: found.product,
      ...(found.option !== null && { option: found.option }),
      reason,
      ...atDevice(device),
    },
    objects: [...deviceObject(device), bookerObject(found)],
  });
  return handOutShape(row!);
}

async function undoerOf(work: Work, event: EventRow, row: HandOutRow): Promise<Decider> {
  const { actor } = work.caller;
  const isOwn = actor.kind === 'device' && row.actor_kind === 'device' && row.actor_id === actor.id;
  const isFresh = work.tx.clock.now().getTime() - Date.parse(row.created_at) < SLIP_MS;
  if (isOwn && isFresh) return { by: actor, device: null };
  return deciderOf(work, (asMember) => aHandOut.find(asMember, toUlid(row.id), { event }));
}
