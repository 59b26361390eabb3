import type { Id } from '../../common/ids.ts';
import type { QuotaRow } from '../events/index.ts';
import { type AttendeeState, activeAttendees, type BookedLine, type RegistrationState } from './state.ts';
import type { EventWorld } from './world.ts';

/**
 * How much is needed of each scope. A scope is what can run out: the event itself, an attendee type, a day, a product, an option of a
 * product, a shared limit, a discount.
 */
export type Needs = Map<Id, number>;

/** What of an attendee takes places. */
export type Placed = Pick<AttendeeState, 'attendee_type_id' | 'day_ids' | 'products' | 'discount_id'>;

/**
 * What these attendees, and what is booked for all of them together, take of each scope. An attendee takes one place in the event, of the
 * type and on each day, one use of the discount that covers them, and each unit of a product one of the product and of its option. A
 * shared limit counts each of its people once, and each unit of its products.
 */
export function needsOf(world: EventWorld, attendees: readonly Placed[], booked: readonly BookedLine[] = []): Needs {
  const needs: Needs = new Map();
  const add = (scope: Id, count = 1) => needs.set(scope, (needs.get(scope) ?? 0) + count);
  const addLines = (lines: readonly BookedLine[]) => {
    for (const { product_id, option_id, quantity } of lines) {
      add(product_id, quantity);
      if (option_id !== null) add(option_id, quantity);
      for (const quota of world.quotas.values()) {
        if (quota.product_ids?.includes(product_id)) add(quota.id, quantity);
      }
    }
  };
  for (const attendee of attendees) {
    add(world.event.id);
    add(attendee.attendee_type_id);
    for (const day of attendee.day_ids) add(day);
    for (const quota of world.quotas.values()) if (countsPerson(quota, attendee)) add(quota.id);
    if (attendee.discount_id !== null) add(attendee.discount_id);
    addLines(attendee.products);
  }
  addLines(booked);
  return needs;
}

/** The same in SQL is `QUOTA_TAKEN` (areas/events). */
const countsPerson = (
  { attendee_type_ids, day_ids }: QuotaRow,
  attendee: Pick<AttendeeState, 'attendee_type_id' | 'day_ids'>,
): boolean =>
  (attendee_type_ids !== null || day_ids !== null) &&
  (attendee_type_ids === null || attendee_type_ids.includes(attendee.attendee_type_id)) &&
  (day_ids === null || attendee.day_ids.some((day) => day_ids.includes(day)));

export const needsOfRegistration = (world: EventWorld, registration: RegistrationState): Needs =>
  needsOf(world, activeAttendees(registration), registration.products);

/** What is needed more than before. What somebody has already needs no room, even if a capacity was lowered since. */
export const moreThan = (was: Needs, is: Needs): Needs =>
  new Map(
    [...is].flatMap(([scope, count]) =>
      count > (was.get(scope) ?? 0) ? [[scope, count - (was.get(scope) ?? 0)]] : [],
    ),
  );
