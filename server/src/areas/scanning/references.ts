import { reference } from '../../road/reference.ts';
import { type EventRow, findEvent, isTest } from '../events/index.ts';

/** An event somebody may scan in: one the key sees; for a paired device, its own. */
export const doorEvent = reference<EventRow>({
  kind: 'event',
  byCode: true,
  isTest,
  find: async ({ tx, caller }, ref) => {
    const event = await findEvent(tx, caller, ref, 'read');
    return caller.actor.kind === 'device' && event?.id !== caller.actor.event ? null : event;
  },
});
