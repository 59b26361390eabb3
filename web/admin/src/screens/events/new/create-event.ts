import { type Event, Problem } from '@turnout/client';
import { call } from '../../../frame/api.ts';
import { daysOf, eventOf, type PlainValues, typesOf } from './plain-values.ts';

/**
 * Creates an event with its days and, if it is free, its type. `key` is that of the submission: every call has one that follows from it, so
 * that trying again makes nothing twice. Once the event is there, a fault of what follows is no fault of the form any more, because sending
 * the form again could create a second event: the event is then answered as not `complete`.
 */
export async function createWholeEvent(
  org: string,
  values: PlainValues,
  { key, online, type }: { key: string; online: string; type: string },
): Promise<{ event: Event; complete: boolean }> {
  const event = await call('createEvent', { org, body: eventOf(values, online) }, { key });
  const base = { org, event: event.id };
  try {
    for (const body of daysOf(values)) await call('createDay', { ...base, body }, { key: `${key}-${body.date}` });
    for (const body of typesOf(values, type))
      await call('createAttendeeType', { ...base, body }, { key: `${key}-type` });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { event, complete: false };
  }
  return { event, complete: true };
}
