import { ticketCode } from '@turnout/checkin';
import { type Id, parseRef } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import { type Reach, reference } from '../../road/request/reference.ts';
import { every, name, type Sql, sql } from '../../store/sql.ts';
import { type EventRow, ofTestEvent } from '../events/index.ts';
import {
  attendeeInReach,
  eventGroup,
  limitOf,
  registrationFullyInReach,
  registrationInReach,
  ticketFullyInReach,
  ticketInReach,
} from '../groups/index.ts';

/** Live keys do not see what test keys made. Test keys see both. */
export const ownMode = ({ mode }: Pick<Reach, 'mode'>, alias: string): Sql =>
  mode === 'live' ? sql`not ${name(`${alias}.test`)}` : sql`true`;

/** The same for paths without an event. Everything in a test event is a test, and a live key that sees such an event sees its contents, too. */
const ownModeAnywhere = (reach: Pick<Reach, 'mode'>, alias: 't' | 'p'): Sql =>
  reach.mode === 'test' ? sql`true` : sql`(${ownMode(reach, alias)} or ${ofTestEvent(alias)})`;

/** What a path finds of a registration: enough to open the event's book and load the registration. */
export interface RegistrationRef {
  id: Id;
  event_id: Id;
  test: boolean;
}
/** What a path finds of a part of a registration. */
export interface PartRef extends RegistrationRef {
  registration_id: Id;
}
export type AttendeeRef = PartRef;
export type TicketRef = PartRef;
export type PaymentRef = PartRef;

/** A registration, for acts that concern all of it. */
export const asPart = (found: RegistrationRef): PartRef => ({ ...found, registration_id: found.id });

/** A test key can only change test objects. */
export function requireOwnMode(reach: Pick<Reach, 'mode'>, object: { test: boolean }): void {
  if (reach.mode === 'test' && !object.test) refuse('test_key_live_object');
}

/** Also says whether all its attendees are in the caller's reach (`whole`). */
const findRegistration = (reach: Reach, ref: string, event: EventRow) => {
  const { id, code } = parseRef(ref);
  const limit = limitOf(reach.caller);
  return reach.tx.maybe<RegistrationRef & { whole: boolean }>(sql`
    select r.id, r.event_id, r.test, ${registrationFullyInReach(limit, 'r', eventGroup(event))} as whole from registrations r
    where r.org_id = ${reach.org} and r.event_id = ${event.id}
      and ${id !== null ? sql`r.id = ${id}` : sql`r.code = ${ticketCode(code)}`}
      and ${every([ownMode(reach, 'r'), registrationInReach(limit, 'r', eventGroup(event))])}`);
};

/** A registration with at least one attendee in the caller's reach. */
export const aRegistration = reference<RegistrationRef, { event: EventRow }>({
  kind: 'registration',
  byCode: true,
  find: (reach, ref, { event }) => findRegistration(reach, ref, event),
});

/** A registration whose attendees are all in the caller's reach: for what belongs to all of them, such as payments. */
export const wholeRegistration = reference<RegistrationRef, { event: EventRow }>({
  kind: 'registration',
  byCode: true,
  find: async (reach, ref, { event }) => {
    const found = await findRegistration(reach, ref, event);
    if (found?.whole === false) refuse('mixed_groups');
    return found;
  },
});

export const anAttendee = reference<AttendeeRef, { event: EventRow }>({
  kind: 'attendee',
  byCode: false,
  find: async (reach, ref, { event }) => {
    const { id } = parseRef(ref);
    if (id === null) return null;
    return reach.tx.maybe<AttendeeRef>(sql`
      select a.id, a.event_id, a.registration_id, a.test from attendees a
      where a.org_id = ${reach.org} and a.event_id = ${event.id} and a.id = ${id}
        and ${every([ownMode(reach, 'a'), attendeeInReach(limitOf(reach.caller), 'a', eventGroup(event))])}`);
  },
});

/** A live key finds a test object only in a test event. */
const isTest = ({ test }: { test: boolean }): boolean => test;

const findTicket = async (reach: Reach, ref: string) => {
  const { id } = parseRef(ref);
  if (id === null) return null;
  const limit = limitOf(reach.caller);
  return reach.tx.maybe<TicketRef & { whole: boolean }>(sql`
    select t.id, t.event_id, t.registration_id, t.test, ${ticketFullyInReach(limit, 't')} as whole from tickets t
    where t.org_id = ${reach.org} and t.id = ${id} and ${every([ownModeAnywhere(reach, 't'), ticketInReach(limit, 't')])}`);
};

/** A ticket with at least one attendee in the caller's reach. */
export const aTicket = reference<TicketRef>({ kind: 'ticket', byCode: false, isTest, find: findTicket });

/** A ticket whose attendees are all in the caller's reach: for what shows its code, which admits all of them. */
export const wholeTicket = reference<TicketRef>({
  kind: 'ticket',
  byCode: false,
  isTest,
  find: async (reach, ref) => {
    const found = await findTicket(reach, ref);
    if (found?.whole === false) refuse('mixed_groups');
    return found;
  },
});

/** A payment belongs to the whole registration, so all its attendees must be in the caller's reach. */
export const aPayment = reference<PaymentRef>({
  kind: 'payment',
  byCode: false,
  isTest,
  find: async (reach, ref) => {
    const { id } = parseRef(ref);
    if (id === null) return null;
    return reach.tx.maybe<PaymentRef>(sql`
      select p.id, p.event_id, p.registration_id, p.test from payments p
      join registrations r on r.org_id = p.org_id and r.id = p.registration_id
      where p.org_id = ${reach.org} and p.id = ${id}
        and ${every([ownModeAnywhere(reach, 'p'), registrationFullyInReach(limitOf(reach.caller), 'r')])}`);
  },
});
