import type { AttendeeChange, AttendeeInput } from '@turnout/contract';
import type { Reach } from '../../road/reference.ts';
import { type Fault, MOST_FAULTS } from '../../road/refusal.ts';
import type { ValidPart } from '../../road/valid-part.ts';
import type { Id } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import type { EventRow } from '../events/index.ts';
import { type AttendeeDetails, Findings, FORM, readAttendee, readChange } from './input.ts';
import { worldOf } from './world.ts';

/** What the form would say of these people, as far as they are spelled like people. Groups are looked up with other references. */
export async function formFaults(
  reach: Reach,
  event: EventRow,
  people: readonly (readonly [path: string, person: ValidPart<AttendeeInput> | undefined])[],
): Promise<Fault[]> {
  const world = await worldOf(reach.tx, reach.org, event);
  const findings = new Findings();
  for (const [path, person] of people) {
    if (findings.faults.length > MOST_FAULTS) break;
    if (person?.attendee_type === undefined) continue;
    const { attendee_type, days, answers } = person;
    const named = { first_name: '', last_name: '', attendee_type, ...(answers && { answers }), ...wholeDays(days) };
    await readAttendee(reach, world, named, path, null, FORM, findings);
  }
  return findings.faults;
}

/** The same of a change to somebody who is there. */
export async function changeFaults(
  reach: Reach,
  event: EventRow,
  attendee: { id: Id },
  { attendee_type, days, answers }: ValidPart<AttendeeChange>,
): Promise<Fault[]> {
  const world = await worldOf(reach.tx, reach.org, event);
  const person = await reach.tx.maybe<AttendeeDetails>(sql`
    select attendee_type_id, group_id, day_ids, first_name, last_name, email, phone, date_of_birth, external_id, answers, price_minor
    from attendees where org_id = ${reach.org} and id = ${attendee.id}`);
  if (person === null) return [];
  const findings = new Findings();
  const sent = { ...(attendee_type && { attendee_type }), ...(answers && { answers }), ...wholeDays(days) };
  await readChange(reach, world, person, sent, findings);
  return findings.faults;
}

/** A list with an entry that is no day is at fault already, so nothing is said of the list as a whole. */
const wholeDays = (days: readonly (string | undefined)[] | undefined): { days?: string[] } =>
  days?.every((day) => day !== undefined) ? { days: days as string[] } : {};
