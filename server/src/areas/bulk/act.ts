import type { BulkAction, BulkChange } from '@turnout/contract';
import type { Work } from '../../road/operation.ts';
import type { Reference } from '../../road/reference.ts';
import { refuse } from '../../road/refusal.ts';
import { toUlid } from '../../store/ids.ts';
import type { EventRow } from '../events/index.ts';
import {
  anAttendee,
  approve,
  aRegistration,
  aTicket,
  cancel,
  changeAttendee,
  decline,
  promoteByHand,
  reissueOne,
  sendTicket,
  wholeTicket,
} from '../registrations/index.ts';
import type { ItemRow } from './queries.ts';

export interface BulkOptions {
  action: BulkAction;
  reason?: string;
  send?: boolean;
  change?: BulkChange;
}

/** Acts on one item as the operation for a single one does: found within the caller's reach, and refused for the same reasons. */
type Act = (work: Work, event: EventRow, item: ItemRow, options: BulkOptions) => Promise<unknown>;

async function findOrRefuse<F>(
  work: Work,
  event: EventRow,
  declared: Reference<F, { event: EventRow }> | Reference<F>,
  id: string,
): Promise<F> {
  return (await declared.find(work, toUlid(id), { event })) ?? refuse('not_found');
}

const requireTicket = (item: ItemRow) =>
  item.ticket_id ?? refuse('invalid_state', { message: 'The attendee has no valid ticket.' });

/** The actions, each with the name that the audit log gives it. It is the same as for a single one. */
export const ACTS: Record<BulkAction, { audit: string; act: Act }> = {
  approve: {
    audit: 'registration.approved',
    act: async (work, event, item) => approve(work, await findOrRefuse(work, event, aRegistration, item.object_id)),
  },
  decline: {
    audit: 'registration.declined',
    act: async (work, event, item, options) =>
      decline(work, await findOrRefuse(work, event, aRegistration, item.object_id), reasonIn(options)),
  },
  cancel: {
    audit: 'registration.cancelled',
    act: async (work, event, item, options) =>
      cancel(work, await findOrRefuse(work, event, aRegistration, item.object_id), reasonIn(options)),
  },
  promote: {
    audit: 'registration.promoted',
    act: async (work, event, item) =>
      promoteByHand(work, await findOrRefuse(work, event, aRegistration, item.object_id)),
  },
  send_tickets: {
    audit: 'ticket.sent',
    act: async (work, event, item) =>
      sendTicket(work, await findOrRefuse(work, event, wholeTicket, requireTicket(item))),
  },
  reissue: {
    audit: 'ticket.reissued',
    act: async (work, event, item, { send }) =>
      reissueOne(
        work,
        await findOrRefuse(work, event, aTicket, requireTicket(item)),
        send === undefined ? {} : { send },
      ),
  },
  change: {
    audit: 'attendee.changed',
    act: async (work, event, item, { change = {} }) =>
      changeAttendee(work, await findOrRefuse(work, event, anAttendee, item.object_id), change),
  },
};

const reasonIn = ({ reason }: BulkOptions) => (reason === undefined ? {} : { reason });
