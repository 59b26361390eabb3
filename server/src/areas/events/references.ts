import { reference } from '../../road/reference.ts';
import { refuse } from '../../road/refusal.ts';
import { type EventRow, findEvent } from './queries.ts';

/** Everything in a test event is a test, whoever makes it. */
export const isTest = (event: EventRow): boolean => event.test;

/** An event the caller may see. */
export const anEvent = reference<EventRow>({
  kind: 'event',
  byCode: true,
  isTest,
  find: ({ tx, caller }, ref) => findEvent(tx, caller, ref, 'read'),
});

/** An event the caller may change: in its subtree, and a test event where a test key asks. */
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

/** An event whose structure may change: an archived one is kept as it was. */
export const openEvent = reference<EventRow>({
  kind: 'event',
  byCode: true,
  isTest,
  find: async (reach, ref, parents) => {
    const event = await ownEvent.find(reach, ref, parents);
    if (event?.status === 'archived') {
      refuse('invalid_state', { message: 'The event is archived and kept as it was. Close it again to change it.' });
    }
    return event;
  },
});
