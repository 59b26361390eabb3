import type { Availability } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import type { Work } from '../../road/operation.ts';
import { sql } from '../../store/sql.ts';
import { sixDecimals } from '../../store/stamps.ts';
import type { EventRow } from '../events/index.ts';
import { readClock } from './checked-in.ts';
import { EVENT_GROUP, inReachedGroups, isTest, reachedCells } from './count-scope.ts';
import { attendeeCells } from './counts.ts';
import { Places } from './places.ts';
import { worldOf } from './world.ts';

/** How full the event, its days and its types are. The road reads repeatably, so all counts are of the same instant. */
export async function availabilityOf(
  work: Work,
  event: EventRow,
  testParameter: boolean | undefined,
): Promise<Availability> {
  const { tx, org } = work;
  const test = isTest(work, event, testParameter);
  const [clock, reach, world, held] = await Promise.all([
    readClock(tx, org, event.id),
    reachedCells(work, event),
    worldOf(tx, org, event),
    Places.counts(tx, org, event.id),
  ]);
  const rows = await tx.all<{ status: string; attendee_type_id: Id; day_id: Id | null; people: number }>(sql`
    select c.status, c.attendee_type_id, c.day_id, sum(c.people)::int as people from ${attendeeCells(org, event.id, clock.kept)} c
    where c.test = ${test} and c.status in ('confirmed', 'pending_approval', 'pending_payment', 'waitlisted') and ${inReachedGroups(reach)}
    group by 1, 2, 3`);
  const counts = new Map<Id, { taken: number; held: number; waiting: number }>();
  const add = (scope: Id, status: string, people: number) => {
    const count = counts.get(scope) ?? { taken: 0, held: 0, waiting: 0 };
    count[status === 'confirmed' ? 'taken' : status === 'waitlisted' ? 'waiting' : 'held'] += people;
    counts.set(scope, count);
  };
  for (const { status, attendee_type_id, day_id, people } of rows) {
    if (day_id !== null) add(day_id, status, people);
    else {
      add(event.id, status, people);
      add(attendee_type_id, status, people);
    }
  }
  // How many places are left depends on the attendees of all groups, so only callers who reach the event's group are told.
  const knowsLeft = reach === null || reach.includes(EVENT_GROUP);
  const takenOf = new Map(held.filter((one) => one.test === test).map((one) => [one.scope_id, one.taken]));
  const left = (scope: Id, capacity: number | null) =>
    capacity === null || !knowsLeft ? null : Math.max(capacity - (takenOf.get(scope) ?? 0), 0);
  const places = (scope: Id, capacity: number | null) => ({
    capacity,
    ...(counts.get(scope) ?? { taken: 0, held: 0, waiting: 0 }),
    left: left(scope, capacity),
  });
  const units = (scope: Id, capacity: number | null) => ({
    capacity,
    taken: knowsLeft ? (takenOf.get(scope) ?? 0) : null,
    left: left(scope, capacity),
  });
  const cap = work.caller.plan.limits.attendees_per_event;
  const limits = [event.capacity, cap].filter((limit) => limit !== null);
  return {
    test,
    as_of: sixDecimals(clock.at),
    event: places(event.id, limits.length === 0 ? null : Math.min(...limits)),
    days: world.dayOrder.map((id) => ({ day: world.days.get(id)!.code, ...places(id, world.days.get(id)!.capacity) })),
    attendee_types: [...world.types.values()].map((type) => ({
      attendee_type: type.code,
      ...places(type.id, type.capacity),
    })),
    products: [...world.products.values()].map((product) => ({
      product: product.code,
      ...units(product.id, product.capacity),
      options: product.options.map(({ id, code, capacity }) => ({ option: code, ...units(id, capacity) })),
    })),
    quotas: [...world.quotas.values()].map(({ id, code, capacity }) => ({ quota: code, ...units(id, capacity) })),
  };
}
