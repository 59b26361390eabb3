import type { HandOut, HandOutCreate } from '@turnout/contract';
import { type Id, newId } from '../../common/ids.ts';
import { type Fault, invalid, refuse } from '../../common/refusal.ts';
import type { Work } from '../../road/operation.ts';
import { byChange, type Paging } from '../../road/read/page.ts';
import { withRemoved } from '../../road/read/removed.ts';
import { inBody } from '../../road/request/reference.ts';
import type { ValidPart } from '../../road/request/valid-part.ts';
import { NOTHING } from '../../road/write/audited.ts';
import { stampEvent } from '../../store/clocks.ts';
import { insertRow } from '../../store/rows.ts';
import { filters, sql } from '../../store/sql.ts';
import { checkInPoints, type EventRow, eventById, type ProductRow, products } from '../events/index.ts';
import { eventGroup, handOutInReach, limitOf } from '../groups/index.ts';
import { anAttendee, requireOwnMode, wholeRegistration } from '../registrations/index.ts';
import { type Booker, type BookerRow, readBooker, type Unit, withOneMore, writeLines } from './hand-out-lines.ts';
import { type HandOutRow, handOutShape, handOutsSeen, readHandOuts } from './hand-out-record.ts';

interface HandOutFilter {
  attendee?: { id: Id; registration_id: Id };
  registration?: Id;
  product?: Id;
}

export async function listHandOuts(
  work: Work,
  event: EventRow,
  query: Paging & { undone?: boolean },
  { attendee, registration, product }: HandOutFilter,
) {
  const list = byChange(['hand-outs', event.id, query.undone, attendee?.id, registration, product], query, 'h');
  const chosen = filters([
    // The index knows registrations only.
    attendee !== undefined && sql`h.registration_id = ${attendee.registration_id} and h.attendee_id = ${attendee.id}`,
    registration !== undefined && sql`h.registration_id = ${registration}`,
    product !== undefined && sql`h.product_id = ${product}`,
    query.undone !== undefined && (query.undone ? sql`h.undone_at is not null` : sql`h.undone_at is null`),
  ]);
  const rows = await readHandOuts(
    work.tx,
    work.org,
    event.id,
    sql`${handOutsSeen(work, event)} and ${chosen} and ${list.where}`,
    list.order,
  );
  const shown = sql`exists (select from hand_outs h where h.org_id = x.org_id and h.id = x.object_id
    and ${handOutInReach(limitOf(work.caller), 'h', eventGroup(event))} offset 0)`;
  return list.page(await withRemoved(work, list, { list: 'hand_outs', event: event.id, shown }, rows), handOutShape);
}

/** Exactly one of the two has booked it. */
export const bookerFaults = ({ attendee, registration }: ValidPart<HandOutCreate>): Fault[] => {
  if (attendee === undefined && registration === undefined) return [{ path: 'attendee', message: 'is required' }];
  if (attendee !== undefined && registration !== undefined)
    return [{ path: 'registration', message: 'cannot be combined with `attendee`: send one of them' }];
  return [];
};

/** What a call names, found in the caller's reach. */
interface Named extends Booker, Unit {
  point: Id | null;
  test: boolean;
}

/**
 * Gives one unit away. The event's clock is held from the first statement on, so of two devices that give the last unit away at the same
 * instant one comes second, and finds nothing left.
 */
export async function handOut(work: Work, found: EventRow, body: HandOutCreate): Promise<HandOut> {
  const { tx, org } = work;
  const stamp = await stampEvent(tx, org, found.id);
  const event = (await eventById(tx, org, found.id)) ?? refuse('not_found');
  if (event.status === 'archived') {
    refuse('invalid_state', {
      message: 'The event is archived, so nothing can be handed out. Close the event to hand out again.',
    });
  }
  const named = await namedBy(work, event, body);
  const [before] = await readHandOuts(
    tx,
    org,
    event.id,
    sql`h.test = ${named.test} and h.client_uuid = ${body.client_uuid}`,
  );
  if (before !== undefined) return firstAnswer(work, before, named);
  const booker = (await readBooker(tx, org, named)) ?? refuse('not_found');
  const lines = booker.status === 'confirmed' ? withOneMore(booker.products, named) : null;
  if (lines === null && body.offline !== true) refuseUnit(booker, body);
  const { actor } = work.caller;
  const id = newId(tx.clock.now());
  await insertRow(tx, 'hand_outs', {
    org_id: org,
    id,
    event_id: event.id,
    registration_id: named.registration_id,
    attendee_id: named.attendee_id,
    group_id: booker.group_id,
    product_id: named.product_id,
    option_id: named.option_id,
    client_uuid: body.client_uuid,
    check_in_point_id: named.point,
    test: named.test,
    surplus: lines === null,
    handed_out_at: body.handed_out_at ?? stamp,
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    created_at: stamp,
    updated_at: stamp,
  });
  if (lines !== null) await writeLines(tx, org, event, named, lines, stamp);
  const [row] = await readHandOuts(tx, org, event.id, sql`h.id = ${id}`);
  work.changed({
    kind: 'hand_out',
    id,
    event: event.id,
    group: groupOf(booker, event),
    details: {
      product: row!.product,
      ...(row!.option !== null && { option: row!.option }),
      ...(lines === null && { surplus: true }),
    },
    objects: [bookerObject(named)],
  });
  return handOutShape(row!);
}

/** The group whose members read the entry in the audit log. What is booked for several groups is told to none of them. */
export const groupOf = ({ attendee_id, group_id }: Pick<BookerRow, 'attendee_id' | 'group_id'>, event: EventRow) =>
  attendee_id === null ? group_id : (group_id ?? event.group_id);

export const bookerObject = ({ attendee_id, registration_id }: Booker) =>
  attendee_id === null ? { kind: 'registration', id: registration_id } : { kind: 'attendee', id: attendee_id };

async function namedBy(work: Work, event: EventRow, body: HandOutCreate): Promise<Named> {
  const parents = { event };
  const faults = bookerFaults(body);
  if (faults.length > 0) return invalid(faults[0]!);
  const product = await inBody(work, products.reference, body.product, 'product', parents);
  const option_id = optionOf(product, body.option);
  const point =
    body.check_in_point === undefined
      ? null
      : (await inBody(work, checkInPoints.reference, body.check_in_point, 'check_in_point', parents)).id;
  const unit = { product_id: product.id, option_id, point };
  if (body.attendee !== undefined) {
    const { id, registration_id, test } = await inBody(work, anAttendee, body.attendee, 'attendee', parents);
    requireOwnMode(work, { test });
    return { ...unit, attendee_id: id, registration_id, test };
  }
  const { id, test } = await inBody(work, wholeRegistration, body.registration!, 'registration', parents);
  requireOwnMode(work, { test });
  return { ...unit, attendee_id: null, registration_id: id, test };
}

function optionOf(product: ProductRow, code: string | undefined): Id | null {
  if (code === undefined) {
    if (product.options.length === 0) return null;
    return invalid({ path: 'option', message: `is required: ${product.code} has options` });
  }
  const option = product.options.find((one) => one.code.toLowerCase() === code.toLowerCase());
  return option?.id ?? invalid({ path: 'option', message: `no such option of ${product.code}: ${code}` });
}

/** A repeated `client_uuid` answers what was answered, whatever has happened to the unit since. */
function firstAnswer(work: Work, before: HandOutRow, named: Named): HandOut {
  work.changed(NOTHING);
  const isSame =
    before.registration_id === named.registration_id &&
    before.attendee_id === named.attendee_id &&
    before.product_id === named.product_id &&
    before.option_id === named.option_id &&
    before.check_in_point_id === named.point;
  if (!isSame) refuse('client_uuid_reused');
  return handOutShape({ ...before, undone_at: null, undo_reason: null, updated_at: before.created_at });
}

function refuseUnit({ attendee_id, status }: BookerRow, { product }: HandOutCreate): never {
  if (status !== 'confirmed') {
    const whose = attendee_id === null ? 'registration' : 'attendee';
    refuse('invalid_state', {
      message: `The ${whose} is ${status.replaceAll('_', ' ')}, so nothing can be handed out. Only what confirmed people have booked is.`,
    });
  }
  return refuse('nothing_to_hand_out', {
    message: `Everything that was booked of ${product} has been handed out${attendee_id === null ? '' : ' to this person'}.`,
  });
}
