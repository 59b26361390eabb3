import type { BulkAction, BulkChange } from '@turnout/contract';
import { toUlid } from '../../common/ids.ts';
import { Refusal, refuse } from '../../common/refusal.ts';
import type { Work } from '../../road/operation.ts';
import type { EventRow } from '../events/index.ts';
import {
  approve,
  aRegistration,
  cancel,
  changeAttendeesTogether,
  decline,
  type PartRef,
  promoteByHand,
  type RegistrationRef,
  reissueTogether,
  sendTogether,
} from '../registrations/index.ts';
import type { ItemRow } from './queries.ts';

export interface BulkOptions {
  action: BulkAction;
  reason?: string;
  send?: boolean;
  change?: BulkChange;
}

/** An item, with the work through which acting on it is audited. */
export interface BulkItem extends ItemRow {
  work: Work;
}

/**
 * Acts on items of one registration by the rules of the single operation: within the caller's reach, and refused for the same reasons.
 * Returns the refusal of each item, or anything else for one that was not refused. What is thrown concerns all of them.
 */
type Act = (items: readonly BulkItem[], event: EventRow, options: BulkOptions) => Promise<readonly unknown[]>;

/** Acts on registrations. A registration is an item of its own. */
const onRegistration =
  (act: (work: Work, found: RegistrationRef, options: BulkOptions) => Promise<unknown>): Act =>
  async ([item], event, options) => {
    const { work, object_id } = item!;
    const found = (await aRegistration.find(work, toUlid(object_id), { event })) ?? refuse('not_found');
    return [await act(work, found, options)];
  };

/** Acts on attendees or on their tickets. An attendee without a valid ticket is refused. */
const onParts =
  (
    part: 'object_id' | 'ticket_id',
    act: (items: readonly { work: Work; found: PartRef }[], options: BulkOptions) => Promise<readonly unknown[]>,
  ): Act =>
  async (items, event, options) => {
    const found = items.flatMap(({ work, registration_id, test, [part]: id }) =>
      id === null ? [] : [{ work, found: { id, event_id: event.id, registration_id, test } }],
    );
    const outcomes = (found.length === 0 ? [] : await act(found, options)).values();
    return items.map((item) => (item[part] === null ? noTicket() : outcomes.next().value));
  };

const noTicket = () => new Refusal('invalid_state', { message: 'The attendee has no valid ticket.' });

/** The actions, each with the name that the audit log gives it. It is the same as for a single one. */
export const ACTS: Record<BulkAction, { audit: string; act: Act }> = {
  approve: { audit: 'registration.approved', act: onRegistration(approve) },
  decline: {
    audit: 'registration.declined',
    act: onRegistration((work, found, options) => decline(work, found, reasonIn(options))),
  },
  cancel: {
    audit: 'registration.cancelled',
    act: onRegistration((work, found, options) => cancel(work, found, reasonIn(options))),
  },
  promote: { audit: 'registration.promoted', act: onRegistration(promoteByHand) },
  send_tickets: { audit: 'ticket.sent', act: onParts('ticket_id', sendTogether) },
  reissue: {
    audit: 'ticket.reissued',
    act: onParts('ticket_id', (items, { send }) => reissueTogether(items, send === undefined ? {} : { send })),
  },
  change: {
    audit: 'attendee.changed',
    act: onParts('object_id', (items, { change = {} }) => changeAttendeesTogether(items, change)),
  },
};

const reasonIn = ({ reason }: BulkOptions) => (reason === undefined ? {} : { reason });
