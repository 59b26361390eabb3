import { type Reach, reference } from '../../road/reference.ts';
import { refuse } from '../../road/refusal.ts';
import { type Id, parseRef } from '../../store/ids.ts';
import { every, name, type Sql, sql } from '../../store/sql.ts';
import type { EventRow } from '../events/index.ts';
import { inReach } from '../groups/index.ts';

/** Live keys do not see what test keys made; test keys see both. A key limited to a group sees its subtree. */
export const visible = (reach: Pick<Reach, 'caller' | 'mode'>, alias: 'r' | 'a' | 'c'): Sql =>
  every([
    reach.mode === 'live' && sql`not ${name(`${alias}.test`)}`,
    reach.caller.group !== null && inReach(reach.caller, name(`${alias}.group_id`)),
  ]);

/** What a reference finds: enough to open the book at the right page. */
export interface RegistrationRef {
  id: Id;
  event_id: Id;
  test: boolean;
}
export interface PersonRef extends RegistrationRef {
  registration_id: Id;
}

/** A test key changes test objects only. */
export function requireOwnMode(reach: Pick<Reach, 'mode'>, object: { test: boolean }): void {
  if (reach.mode === 'test' && !object.test) refuse('test_key_live_object');
}

export const aRegistration = reference<RegistrationRef, { event: EventRow }>({
  kind: 'registration',
  byCode: true,
  find: (reach, ref, { event }) => {
    const { id, code } = parseRef(ref);
    return reach.tx.maybe<RegistrationRef>(sql`
      select r.id, r.event_id, r.test from registrations r
      where r.org_id = ${reach.org} and r.event_id = ${event.id}
        and ${id !== null ? sql`r.id = ${id}` : sql`r.code = upper(${code})`} and ${visible(reach, 'r')}`);
  },
});

export const anAttendee = reference<PersonRef, { event: EventRow }>({
  kind: 'attendee',
  byCode: false,
  find: async (reach, ref, { event }) => {
    const { id } = parseRef(ref);
    if (id === null) return null;
    return reach.tx.maybe<PersonRef>(sql`
      select a.id, a.event_id, a.registration_id, a.test from attendees a
      where a.org_id = ${reach.org} and a.event_id = ${event.id} and a.id = ${id} and ${visible(reach, 'a')}`);
  },
});

export const aTicket = reference<PersonRef>({
  kind: 'ticket',
  byCode: false,
  find: async (reach, ref) => {
    const { id } = parseRef(ref);
    if (id === null) return null;
    return reach.tx.maybe<PersonRef>(sql`
      select t.id, t.event_id, t.registration_id, t.test from tickets t
      join registrations r on r.org_id = t.org_id and r.id = t.registration_id
      where t.org_id = ${reach.org} and t.id = ${id} and ${visible(reach, 'r')}`);
  },
});

export const aPayment = reference<PersonRef>({
  kind: 'payment',
  byCode: false,
  find: async (reach, ref) => {
    const { id } = parseRef(ref);
    if (id === null) return null;
    return reach.tx.maybe<PersonRef>(sql`
      select p.id, p.event_id, p.registration_id, p.test from payments p
      join registrations r on r.org_id = p.org_id and r.id = p.registration_id
      where p.org_id = ${reach.org} and p.id = ${id} and ${visible(reach, 'r')}`);
  },
});
