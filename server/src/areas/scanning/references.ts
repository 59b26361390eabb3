import { reference } from '../../road/request/reference.ts';
import { type EventRow, findEvent, isTest } from '../events/index.ts';

/** An event in which the caller may scan: any that a key or member sees, and for a paired device only its own. */
export const doorEvent = reference<EventRow>({
  kind: 'event',
  byCode: true,
  isTest,
  find: async ({ tx, caller }, ref) => {
    const event = await findEvent(tx, caller, ref, 'read');
    return caller.actor.kind === 'device' && event?.id !== caller.actor.event ? null : event;
  },
});
