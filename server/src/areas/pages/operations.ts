import {
  AttendeeChange,
  Body,
  Checkout,
  type CheckoutCreate,
  Email,
  MAX_LINES,
  Name,
  ProductChoice,
} from '@turnout/contract';
import Type from 'typebox';
import { refuse } from '../../common/refusal.ts';
import { type BeforeCall, type Call, operation, type Work } from '../../road/operation.ts';
import type { Reference } from '../../road/request/reference.ts';
import { sql } from '../../store/sql.ts';
import { anEvent, type EventRow } from '../events/index.ts';
import {
  anAttendee,
  aRegistration,
  askCheckout,
  byEvent,
  type CheckoutOrder,
  cancelOwnPlace,
  cancelOwnRegistration,
  changeFaults,
  changeOwnPlace,
  changeOwnProducts,
  changeSharedProducts,
  DETAILS,
  handOnPlace,
  keepOwnPlaces,
  type LinkHolder,
  loadRegistrations,
  openCheckout,
  PRODUCTS,
} from '../registrations/index.ts';
import { holderOf } from './my-open.ts';

/*
 * What people do on the registration pages with their link. Only the pages call these: they fill the path from the link that was
 * opened, never from what the visitor sent. The link comes along, because it is checked again in the transaction of the work.
 */

const own = {
  visitor: true,
  hosts: [],
  member: null,
  scope: 'write',
  entitlement: null,
  tag: 'My registration',
  inTurn: byEvent,
} as const;
const done = { reply: null, status: 204, refusals: ['not_found', 'invalid_state'] } as const;

const link = Type.String({ maxLength: 100, description: 'The token of the link.' });
/** A page of ours, to come back to. Where the installation is on http, as in a local network, the page of an organization's host is too. */
const ownPage = Type.String({ maxLength: 2000, description: 'A page of these pages.' });
const details = {
  link,
  first_name: Name(200),
  last_name: Name(200),
  answers: AttendeeChange.properties.answers,
};

const choices = {
  link,
  products: Type.Array(ProductChoice, { maxItems: MAX_LINES, description: 'All products that are taken from now on.' }),
};

const holder = ({ links, org, tx, body }: Work & { body: { link: string } }): LinkHolder =>
  holderOf(links, org, body.link, tx.clock.now());

type At = { event: Reference<EventRow>; registration: typeof aRegistration };
type Pay = CheckoutCreate & { link: string };

/** The registrant alone pays. The link is checked before the payment provider is asked. */
async function askOwnCheckout(call: BeforeCall<At, unknown, Pay>): Promise<() => Promise<CheckoutOrder>> {
  const { success_url, cancel_url } = call.body;
  await requireRegistrant(call, holder(call));
  return askCheckout({ ...call, body: { success_url, cancel_url } });
}

async function requireRegistrant({ tx, org, at }: Call<At, unknown, Pay>, of: LinkHolder): Promise<void> {
  const [registration] = await loadRegistrations(tx, org, sql`id = ${at.registration.id}`);
  if (registration === undefined || of.attendee !== null || of.opens(registration, at.event) === null)
    refuse('not_found');
}

export const operations = [
  operation({
    ...own,
    ...done,
    id: 'changeOwnPlace',
    method: 'POST',
    path: '/events/{event}/my/attendees/{attendee}/change',
    audit: 'attendee.changed',
    at: { event: anEvent, attendee: anAttendee },
    body: Body(details),
    rules: [{ of: [], faults: (call) => changeFaults(call, call.at.event, call.at.attendee, call.body) }],
    refusals: [...done.refusals, ...DETAILS],
    summary: 'Change names and answers by link',
    handle: (call) => changeOwnPlace(call, call.at.attendee, holder(call), call.body),
  }),
  operation({
    ...own,
    ...done,
    id: 'handOnPlace',
    method: 'POST',
    path: '/events/{event}/my/attendees/{attendee}/hand-on',
    audit: 'attendee.handed_on',
    at: { event: anEvent, attendee: anAttendee },
    body: Body({ ...details, email: Email() }),
    rules: [{ of: [], faults: (call) => changeFaults(call, call.at.event, call.at.attendee, call.body) }],
    refusals: [...done.refusals, ...DETAILS],
    summary: 'Hand a place to somebody else by link',
    handle: (call) => handOnPlace(call, call.at.attendee, holder(call), call.body),
  }),
  operation({
    ...own,
    ...done,
    id: 'changeOwnProducts',
    method: 'POST',
    path: '/events/{event}/my/attendees/{attendee}/products',
    audit: 'attendee.changed',
    at: { event: anEvent, attendee: anAttendee },
    body: Body(choices),
    rules: [{ of: [], faults: (call) => changeFaults(call, call.at.event, call.at.attendee, call.body) }],
    refusals: [...done.refusals, ...DETAILS, ...PRODUCTS],
    summary: 'Book other products for a place by link',
    handle: (call) => changeOwnProducts(call, call.at.attendee, holder(call), call.body.products),
  }),
  operation({
    ...own,
    ...done,
    id: 'changeSharedProducts',
    method: 'POST',
    path: '/events/{event}/my/registrations/{registration}/products',
    audit: 'registration.changed',
    at: { event: anEvent, registration: aRegistration },
    body: Body(choices),
    refusals: [...done.refusals, ...PRODUCTS],
    summary: 'Book other products for a registration as a whole by link',
    handle: (call) => changeSharedProducts(call, call.at.registration, holder(call), call.body.products),
  }),
  operation({
    ...own,
    ...done,
    id: 'cancelOwnPlace',
    method: 'POST',
    path: '/events/{event}/my/attendees/{attendee}/cancel',
    audit: 'attendee.cancelled',
    at: { event: anEvent, attendee: anAttendee },
    body: Body({ link }),
    summary: 'Cancel a place by link',
    handle: (call) => cancelOwnPlace(call, call.at.attendee, holder(call)),
  }),
  operation({
    ...own,
    ...done,
    id: 'cancelOwnRegistration',
    method: 'POST',
    path: '/events/{event}/my/registrations/{registration}/cancel',
    audit: 'registration.cancelled',
    at: { event: anEvent, registration: aRegistration },
    body: Body({ link }),
    summary: 'Cancel a registration by link',
    handle: (call) => cancelOwnRegistration(call, call.at.registration, holder(call)),
  }),
  operation({
    ...own,
    ...done,
    id: 'keepOwnPlaces',
    method: 'POST',
    path: '/events/{event}/my/registrations/{registration}/keep',
    audit: 'registration.address_proven',
    at: { event: anEvent, registration: aRegistration },
    body: Body({ link }),
    summary: 'Keep unpaid places by the link in the mail',
    handle: (call) => keepOwnPlaces(call, call.at.registration, holder(call)),
  }),
  operation({
    ...own,
    id: 'startOwnCheckout',
    method: 'POST',
    path: '/events/{event}/my/registrations/{registration}/checkout',
    audit: 'payment.checkout_started',
    at: { event: anEvent, registration: aRegistration },
    body: Body({ link, success_url: ownPage, cancel_url: ownPage }),
    reply: Checkout,
    status: 201,
    refusals: ['not_found', 'invalid_state'],
    summary: 'Start an online payment by link',
    before: askOwnCheckout,
    handle: async (call) => {
      const of = holder(call);
      return openCheckout(call, call.at.registration, call.beforeResult, (registration, event) => {
        if (of.attendee !== null || of.opens(registration, event) === null) refuse('not_found');
      });
    },
  }),
];
