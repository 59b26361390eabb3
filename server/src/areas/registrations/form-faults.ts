import type { AttendeeInput } from '@turnout/contract';
import type { Reach } from '../../road/reference.ts';
import { type Fault, MOST_FAULTS } from '../../road/refusal.ts';
import type { Sound } from '../../road/sound.ts';
import type { EventRow } from '../events/index.ts';
import { Findings, FORM, readPerson } from './input.ts';
import { worldOf } from './world.ts';

/** What the form would say of these people, as far as they are spelled like people. Groups are looked up with other references. */
export async function formFaults(
  reach: Reach,
  event: EventRow,
  people: readonly (readonly [path: string, person: Sound<AttendeeInput> | undefined])[],
): Promise<Fault[]> {
  const world = await worldOf(reach.tx, reach.org, event);
  const findings = new Findings();
  for (const [path, person] of people) {
    if (findings.faults.length > MOST_FAULTS) break;
    if (person?.attendee_type === undefined) continue;
    const { attendee_type, days, answers } = person;
    // A list with a day that is none is at fault already, and what is said of the whole list then falls to it.
    const wanted = days?.every((day) => day !== undefined) ? { days: days as string[] } : {};
    const named = { first_name: '', last_name: '', attendee_type, ...(answers && { answers }), ...wanted };
    await readPerson(reach, world, named, path, null, FORM, findings);
  }
  return findings.faults;
}
