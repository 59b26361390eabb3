import type { HandOutCreate } from '@turnout/client';
import type { KeptPerson } from '../roster/entry.ts';
import type { HandOutRow } from '../store/hand-outs.ts';
import type { ToHandOut } from './types.ts';

/** A unit that was handed out here, and what the server answered. Nothing here knows a network or a disk. */
export interface Tap {
  readonly row: HandOutRow;
  /** `updated_at`: the event's clock when it was recorded. Null: the server has not answered. */
  readonly answer: { readonly id: string; readonly updated_at: string; readonly surplus: boolean } | null;
  /** The event's clock when it was taken back. */
  readonly undoneAt: string | null;
  /** What was tapped; null if it was before the app was opened. */
  readonly unit?: ToHandOut;
}

const keyOf = ({
  attendee,
  registration,
  product,
  option,
}: Pick<ToHandOut, 'attendee' | 'registration' | 'product' | 'option'>) =>
  JSON.stringify([attendee ?? registration, product, option]);
const keyOfRow = ({ attendee, registration, product, option }: HandOutRow): string =>
  JSON.stringify([attendee ?? registration, product, option]);

/**
 * How many units less there are than the roster says: it is as of an instant of the event's clock, and knows of no tap that was recorded
 * later or is still to be sent.
 */
function notInRoster({ row, answer, undoneAt }: Tap, as_of: string): number {
  if (answer === null) return row.undone === undefined ? 1 : 0;
  if (answer.surplus) return 0;
  return (answer.updated_at > as_of ? 1 : 0) - (undoneAt !== null && undoneAt > as_of ? 1 : 0);
}

const isGiven = ({ row, undoneAt }: Tap): boolean => row.undone === undefined && undoneAt === null;

/** What somebody has booked and not got yet, by the roster and by what was handed out here since. */
export function unitsOf(
  registration: string | null,
  person: Pick<KeptPerson, 'id' | 'to_hand_out'>,
  taps: readonly Tap[],
  as_of: string,
): ToHandOut[] {
  const units = new Map<string, ToHandOut>();
  for (const { product, option, name, option_name, left, booked_by } of person.to_hand_out ?? []) {
    const own = booked_by === 'attendee';
    if (!own && registration === null) continue;
    const owner = { attendee: own ? person.id : null, registration: own ? null : registration };
    const unit = { ...owner, product, option, name, optionName: option_name, left, given: [] };
    units.set(keyOf(unit), unit);
  }
  // The last unit that was handed out here is not in the roster any more, and can still be taken back.
  for (const { unit } of taps) {
    const isTheirs =
      unit !== undefined &&
      (unit.attendee === person.id || (unit.attendee === null && unit.registration === registration));
    if (isTheirs && !units.has(keyOf(unit))) units.set(keyOf(unit), { ...unit, left: 0, given: [] });
  }
  return [...units.values()]
    .map((unit) => {
      const own = taps.filter(({ row }) => keyOfRow(row) === keyOf(unit));
      const less = own.reduce((sum, tap) => sum + notInRoster(tap, as_of), 0);
      const given = own
        .filter(isGiven)
        .map(({ row, answer }) => ({ client_uuid: row.client_uuid, sent: answer !== null }));
      return { ...unit, left: Math.max(0, unit.left - less), given };
    })
    .filter(({ left, given }) => left > 0 || given.length > 0);
}

/** What was booked for a registration as a whole is with each of its people, and shown once. */
export function mergeUnits(all: readonly ToHandOut[]): ToHandOut[] {
  const merged = new Map(all.map((unit) => [keyOf(unit), unit]));
  return [...merged.values()];
}

export function bodyOf({
  attendee,
  registration,
  product,
  option,
  client_uuid,
  point,
  at,
  offline,
}: {
  attendee: string | undefined;
  registration: string | undefined;
} & Pick<HandOutRow, 'product' | 'option' | 'client_uuid' | 'point' | 'at' | 'offline'>): string {
  const body: HandOutCreate = {
    ...(attendee !== undefined && { attendee }),
    ...(registration !== undefined && { registration }),
    product,
    ...(option !== null && { option }),
    client_uuid,
    check_in_point: point,
    handed_out_at: new Date(at).toISOString(),
    ...(offline && { offline }),
  };
  return JSON.stringify(body);
}
