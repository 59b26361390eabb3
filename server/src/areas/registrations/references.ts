import { ticketCode } from '@turnout/checkin';
import { type Reach, reference } from '../../road/reference.ts';
import { refuse } from '../../road/refusal.ts';
import { type Id, parseRef } from '../../store/ids.ts';
import { every, name, type Sql, sql } from '../../store/sql.ts';
import { type EventRow, ofTestEvent } from '../events/index.ts';
import {
  known,
  limitOf,
  personInReach,
  registrationInReach,
  registrationWhole,
  ticketInReach,
  ticketWhole,
} from '../groups/index.ts';

/** Live keys do not see what test keys made; test keys see both. */
export const ownMode = ({ mode }: Pick<Reach, 'mode'>, alias: string): Sql =>
  mode === 'live' ? sql`not ${name(`${alias}.test`)}` : sql`true`;

/** The same where no event is at hand: what lies in a test event is a test, and whoever sees the event sees it. */
const ownModeAnywhere = (reach: Pick<Reach, 'mode'>, alias: 't' | 'p'): Sql =>
  reach.mode === 'test' ? sql`true` : sql`(${ownMode(reach, alias)} or ${ofTestEvent(alias)})`;

/** What a reference finds: enough to open the book at the right page. */
export interface RegistrationRef {
  id: Id;
  event_id: Id;
  test: boolean;
}
/** A part of a registration: one of its attendees, tickets or payments. */
export interface PartRef extends RegistrationRef {
  registration_id: Id;
}

/** A test key changes test objects only. */
export function requireOwnMode(reach: Pick<Reach, 'mode'>, object: { test: boolean }): void {
  if (reach.mode === 'test' && !object.test) refuse('test_key_live_object');
}

/** Also answers whether everybody of it is in reach. */
const findRegistration = (reach: Reach, ref: string, event: EventRow) => {
  const { id, code } = parseRef(ref);
  const limit = limitOf(reach.caller);
  return reach.tx.maybe<RegistrationRef & { whole: boolean }>(sql`
    select r.id, r.event_id, r.test, ${registrationWhole(limit, 'r', known(event))} as whole from registrations r
    where r.org_id = ${reach.org} and r.event_id = ${event.id}
      and ${id !== null ? sql`r.id = ${id}` : sql`r.code = ${ticketCode(code)}`}
      and ${every([ownMode(reach, 'r'), registrationInReach(limit, 'r', known(event))])}`);
};

/** One with somebody in reach. */
export const aRegistration = reference<RegistrationRef, { event: EventRow }>({
  kind: 'registration',
  byCode: true,
  find: (reach, ref, { event }) => findRegistration(reach, ref, event),
});

/** For what belongs to all of it, such as its payments. */
export const wholeRegistration = reference<RegistrationRef, { event: EventRow }>({
  kind: 'registration',
  byCode: true,
  find: async (reach, ref, { event }) => {
    const found = await findRegistration(reach, ref, event);
    if (found?.whole === false) refuse('mixed_groups');
    return found;
  },
});

export const anAttendee = reference<PartRef, { event: EventRow }>({
  kind: 'attendee',
  byCode: false,
  find: async (reach, ref, { event }) => {
    const { id } = parseRef(ref);
    if (id === null) return null;
    return reach.tx.maybe<PartRef>(sql`
      select a.id, a.event_id, a.registration_id, a.test from attendees a
      where a.org_id = ${reach.org} and a.event_id = ${event.id} and a.id = ${id}
        and ${every([ownMode(reach, 'a'), personInReach(limitOf(reach.caller), 'a', known(event))])}`);
  },
});

/** A live key finds a test only where the whole event is one. */
const isTest = ({ test }: { test: boolean }): boolean => test;

const findTicket = async (reach: Reach, ref: string) => {
  const { id } = parseRef(ref);
  if (id === null) return null;
  const limit = limitOf(reach.caller);
  return reach.tx.maybe<PartRef & { whole: boolean }>(sql`
    select t.id, t.event_id, t.registration_id, t.test, ${ticketWhole(limit, 't')} as whole from tickets t
    where t.org_id = ${reach.org} and t.id = ${id} and ${every([ownModeAnywhere(reach, 't'), ticketInReach(limit, 't')])}`);
};

/** One with somebody in reach. */
export const aTicket = reference<PartRef>({ kind: 'ticket', byCode: false, isTest, find: findTicket });

/** For what shows its code, which admits everybody on it. */
export const wholeTicket = reference<PartRef>({
  kind: 'ticket',
  byCode: false,
  isTest,
  find: async (reach, ref) => {
    const found = await findTicket(reach, ref);
    if (found?.whole === false) refuse('mixed_groups');
    return found;
  },
});

/** It belongs to all of the registration. */
export const aPayment = reference<PartRef>({
  kind: 'payment',
  byCode: false,
  isTest,
  find: async (reach, ref) => {
    const { id } = parseRef(ref);
    if (id === null) return null;
    return reach.tx.maybe<PartRef>(sql`
      select p.id, p.event_id, p.registration_id, p.test from payments p
      join registrations r on r.org_id = p.org_id and r.id = p.registration_id
      where p.org_id = ${reach.org} and p.id = ${id}
        and ${every([ownModeAnywhere(reach, 'p'), registrationWhole(limitOf(reach.caller), 'r')])}`);
  },
});
