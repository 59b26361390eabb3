import { OneOf, REGISTRATION_STATUSES } from '@turnout/contract';
import Type from 'typebox';

/** What the operations of this area have in common. */

export const reading = { scope: 'read', entitlement: 'api_read', member: 'people.read' } as const;
export const writing = { scope: 'write', entitlement: 'api_write', member: 'people.write' } as const;

/** Calls that change the same event take turns in its lane. */
export const byEvent = (params: Record<string, string>): string => params.event!.toLowerCase();

/** The filter by status of lists. */
export const status = Type.Optional(OneOf(REGISTRATION_STATUSES));

/** Refusals where a place is needed and there is none. */
export const FULL = [
  'attendee_cap_reached',
  'event_full',
  'type_full',
  'day_full',
  'product_full',
  'quota_full',
] as const;
/** Refusals of products for what was chosen. */
export const PRODUCTS = ['product_not_available', 'product_required', 'product_full', 'quota_full'] as const;
/** Refusals that only the registration pages meet. */
export const UNPAID = ['too_many_unpaid_from_network', 'too_many_unpaid_for_email'] as const;
/** Refusals by the rules of the event's form for an attendee's details. */
export const DETAILS = [
  'type_not_available',
  'day_not_available',
  'product_not_available',
  'product_required',
  'answer_required',
  'discount_used_up',
  'duplicate_email',
] as const;
/** Refusals by the rules of the event's form, including its opening hours. */
export const FORM = ['registration_closed', ...DETAILS] as const;
