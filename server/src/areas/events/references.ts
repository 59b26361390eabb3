import { refuse } from '../../common/refusal.ts';
import { reference } from '../../road/request/reference.ts';
import { type EventRow, findEvent } from './queries.ts';

/** Everything in a test event is a test, also what a live key makes. */
export const isTest = (event: EventRow): boolean => event.test;

/** An event the caller may see. */
export const anEvent = reference<EventRow>({
  kind: 'event',
  byCode: true,
  isTest,
  find: ({ tx, caller }, ref) => findEvent(tx, caller, ref, 'read'),
});

/** An event the caller may change: within its reach, and for a test key only a test event. */
export const ownEvent = reference<EventRow>({
  kind: 'event',
  byCode: true,
  isTest,
  find: async ({ tx, caller, mode }, ref) => {
    const event = await findEvent(tx, caller, ref, 'change');
    if (event !== null && mode === 'test' && !event.test) refuse('test_key_live_object');
    return event;
  },
});

/** An event whose structure the caller may change: any but an archived one. */
export const openEvent = reference<EventRow>({
  kind: 'event',
  byCode: true,
  isTest,
  find: async (reach, ref, parents) => {
    const event = await ownEvent.find(reach, ref, parents);
    if (event?.status === 'archived') {
      refuse('invalid_state', { message: 'The event is archived, so it cannot be changed. Close it first.' });
    }
    return event;
  },
});
