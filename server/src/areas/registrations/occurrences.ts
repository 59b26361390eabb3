import type { EventType } from '@turnout/contract';
import { type Id, toUlid } from '../../common/ids.ts';
import { Turns } from '../../common/turns.ts';
import type { ReducibleData, Work } from '../../road/operation.ts';
import { occurrenceGroup } from './reach.ts';
import { attendeeShape, paymentShape, registrationShape, type Shaping, ticketShape } from './shapes.ts';
import type { Happening, RegistrationState } from './state.ts';

/** Something that happened to a registration, as webhooks tell it. */
export interface Occurred {
  type: EventType;
  group: Id | null;
  held?: ReducibleData | undefined;
  livemode: boolean;
  data: unknown;
}

/**
 * What happened to a registration, in the shapes of the API. A change adds one `registration.updated` to the specific types; the
 * transaction that creates a registration does not.
 */
export async function occurrencesOf(
  shaping: Shaping,
  registration: RegistrationState,
  turns = new Turns(),
): Promise<Occurred[]> {
  if (!registration.fresh && !registration.touched) return [];
  const livemode = !registration.test;
  const whole = registrationShape(shaping, registration);
  const group = occurrenceGroup(shaping, registration, 'registration');
  const occurred: Occurred[] = [];
  for (const happening of registration.happened) {
    const shape = shapeOf(shaping, registration, happening, whole);
    occurred.push({ type: happening.type, livemode, ...group, ...shape });
    await turns.pause();
  }
  if (!registration.fresh) occurred.push({ type: 'registration.updated', livemode, ...group, data: whole });
  return occurred;
}

function shapeOf(
  shaping: Shaping,
  registration: RegistrationState,
  happening: Happening,
  whole: unknown,
): Partial<Occurred> & { data: unknown } {
  if ('attendee' in happening) {
    return { data: { ...(whole as object), attendee: attendeeShape(shaping, registration, happening.attendee) } };
  }
  if ('ticket' in happening) {
    const ticket = ticketShape(shaping, registration, happening.ticket);
    return {
      held: undefined,
      ...occurrenceGroup(shaping, registration, 'ticket', happening.ticket),
      data: 'replaces' in happening ? { ...ticket, replaces: toUlid(happening.replaces) } : ticket,
    };
  }
  if ('payment' in happening) {
    const data = paymentShape(shaping.world.event.id, registration.test, happening.payment);
    return { held: undefined, ...occurrenceGroup(shaping, registration, 'whole'), data };
  }
  return { data: whole };
}

/** Raises what happened, through the call that made it happen. */
export function raiseAll(work: Pick<Work, 'raise'>, event: Id, occurred: readonly Occurred[]): void {
  for (const one of occurred) work.raise({ ...one, event });
}
