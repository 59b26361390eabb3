import type { AttendeeChange, AttendeeInput } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { type Fault, MAX_FAULTS } from '../../common/refusal.ts';
import type { Reach } from '../../road/request/reference.ts';
import type { ValidPart } from '../../road/request/valid-part.ts';
import { columns, sql } from '../../store/sql.ts';
import type { EventRow } from '../events/index.ts';
import { amountFaults } from './amounts.ts';
import { Findings, formRules } from './findings.ts';
import { type AttendeeDetails, readAttendee, readChange } from './input.ts';
import { sizeFault, sizeOf } from './size.ts';
import { ATTENDEE_TEXTS } from './texts.ts';
import { worldOf } from './world.ts';

/**
 * The faults that the event's form finds with these attendees, as far as the body is well-formed. Groups are checked with the other
 * references of the body.
 */
export async function formFaults(
  reach: Reach,
  event: EventRow,
  attendees: readonly (readonly [path: string, attendee: ValidPart<AttendeeInput> | undefined])[],
  sent: { past_days?: boolean | undefined },
): Promise<Fault[]> {
  return (await formFindings(reach, event, attendees, sent)).findings.faults;
}

/** The same with everything that the form would refuse, for whoever is still filling it in. */
export async function formFindings(
  reach: Reach,
  event: EventRow,
  attendees: readonly (readonly [path: string, attendee: ValidPart<AttendeeInput> | undefined])[],
  sent: { past_days?: boolean | undefined } = {},
): Promise<{ findings: Findings; details: AttendeeDetails[] }> {
  const world = await worldOf(reach.tx, reach.org, event);
  const findings = new Findings();
  const rules = formRules(reach.tx.clock.now(), sent, reach.caller);
  const read: AttendeeDetails[] = [];
  for (const [path, attendee] of attendees) {
    if (findings.faults.length > MAX_FAULTS) break;
    if (attendee?.attendee_type === undefined) continue;
    const { attendee_type, days, answers } = attendee;
    const named = { first_name: '', last_name: '', attendee_type, ...(answers && { answers }), ...wholeDays(days) };
    const details = await readAttendee(reach, world, named, path, null, rules, findings);
    if (details !== null) read.push(details);
  }
  const tooLarge = sizeFault(sizeOf(world, read), attendees[0]?.[0] === '' ? 'days' : 'attendees');
  if (tooLarge !== null) findings.faults.push(tooLarge);
  const isWhole = read.length === attendees.length && attendees[0]?.[0] !== '';
  if (isWhole && !rules.hiddenTypes) findings.faults.push(...amountFaults(world, read));
  return { findings, details: read };
}

/** The faults that the event's form finds with a change to an attendee. */
export async function changeFaults(
  reach: Reach,
  event: EventRow,
  { id }: { id: Id },
  { attendee_type, days, answers, past_days }: ValidPart<AttendeeChange>,
): Promise<Fault[]> {
  const world = await worldOf(reach.tx, reach.org, event);
  const attendee = await reach.tx.maybe<AttendeeDetails>(sql`
    select attendee_type_id, group_id, day_ids, ${columns(ATTENDEE_TEXTS)}, answers, price_minor, price_name
    from attendees where org_id = ${reach.org} and id = ${id}`);
  if (attendee === null) return [];
  const findings = new Findings();
  const sent = { ...(attendee_type && { attendee_type }), ...(answers && { answers }), ...wholeDays(days) };
  await readChange(
    reach,
    world,
    attendee,
    sent,
    formRules(reach.tx.clock.now(), { past_days }, reach.caller),
    findings,
  );
  return findings.faults;
}

/** The days, unless an entry is malformed: that is a fault already, so the list as a whole is not checked. */
const wholeDays = (days: readonly (string | undefined)[] | undefined): { days?: string[] } =>
  days?.every((day) => day !== undefined) ? { days: days as string[] } : {};
