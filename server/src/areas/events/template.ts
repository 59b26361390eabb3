import { DEFAULT_DOOR_RULES, type EventTemplate, TEMPLATE_KIND, TEMPLATE_VERSION } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { attendeeTypes } from './attendee-types.ts';
import { checkInPoints } from './check-in-points.ts';
import { days } from './days.ts';
import { products } from './products.ts';
import type { EventRow } from './queries.ts';
import { questions } from './questions.ts';
import { quotas } from './quotas.ts';

/** The structure of an event as a template. Registrations, the event's status and the locks of its days are not part of it. */
export async function templateOf(tx: Tx, org: Id, event: EventRow): Promise<EventTemplate> {
  const { name, timezone, venue, currency, capacity, ticketing, language, terms, registration } = event;
  const asMade = sql`order by t.created_at, t.id`;
  const [dayRows, typeRows, productRows, quotaRows, questionRows, pointRows] = await Promise.all([
    days.all(tx, org, event.id, sql`true`, sql`order by t.date, t.code`),
    attendeeTypes.all(tx, org, event.id, sql`true`, asMade),
    products.all(tx, org, event.id, sql`true`, asMade),
    quotas.all(tx, org, event.id, sql`true`, asMade),
    questions.all(tx, org, event.id, sql`true`, asMade),
    // A zone comes before the exits that lead out of it.
    checkInPoints.all(tx, org, event.id, sql`true`, sql`order by t.leaves_id is not null, t.created_at, t.id`),
  ]);
  const now = tx.clock.now();
  return {
    kind: TEMPLATE_KIND,
    version: TEMPLATE_VERSION,
    event: {
      name,
      group: event.group_code,
      timezone,
      // Only times that were set; the others follow from the days of the new event.
      starts_at: event.set_starts_at,
      ends_at: event.set_ends_at,
      venue,
      currency,
      capacity,
      ticketing,
      language,
      terms,
      description: event.description,
      listed: event.listed,
      payment_instructions: event.payment_instructions,
      registration,
      self_service: event.self_service,
      door: { ...DEFAULT_DOOR_RULES, ...event.door },
    },
    days: dayRows.map((row) => ({
      code: row.code,
      name: row.name === row.date ? null : row.name,
      date: row.date,
      opens_at: row.opens_at,
      closes_at: row.closes_at,
      capacity: row.capacity,
    })),
    attendee_types: typeRows.map((row) => without(attendeeTypes.lasting(row, event, now))),
    products: productRows.map((row) => without(products.part.shape(row, event, now))),
    quotas: quotaRows.map((row) => without(quotas.part.shape(row, event, now))),
    questions: questionRows.map((row) => without(questions.part.shape(row, event, now))),
    check_in_points: pointRows.map((row) => without(checkInPoints.part.shape(row, event, now))),
  };
}

/** Leaves out ids and stamps: the next event gets its own. */
function without<Shape extends { id: string; created_at: string; updated_at: string }>(shape: Shape) {
  const { id: _id, created_at: _made, updated_at: _changed, ...rest } = shape;
  return rest;
}
