import { type Attendee, type AuditEntry, Problem, type Registration } from '@turnout/client';
import { useWords } from '@turnout/ui';
import { usePages } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { useOrganization } from '../../../../frame/organization.tsx';
import { useActionText } from '../../../../parts/audit/entry.tsx';
import { useNameText, useReasonText, useStateText } from '../../../../parts/status.tsx';
import {
  type Telling,
  tellCheckIn,
  tellEntry,
  tellMessage,
  tellPayment,
  tellRegistered,
  tellRegistration,
  tellTicket,
} from './tell.tsx';
import { useTickets } from './tickets.tsx';
import { actorOf, entriesAbout, isNews, newestFirst } from './timeline-entries.ts';

const MANY = 100;

/** Everything that happened to a person, newest first, out of all that tells of it. What this member may not read is left out. */
export function useTimeline(attendee: Attendee, registration: Registration | undefined) {
  const { base } = useEvent();
  const { org, may } = useOrganization();
  const audits = may('tenant.audit');
  const about = (object: string) => ({ org, query: { object, limit: MANY } });
  const checkIns = usePages(
    'listCheckIns',
    { ...base, query: { attendee: attendee.id, limit: MANY } },
    { enabled: may('door.scan') },
  );
  const tickets = useTickets(attendee.id);
  const messages = usePages('listAttendeeMessages', { ...base, attendee: attendee.id, query: { limit: MANY } });
  const payments = usePages('listPayments', {
    ...{ ...base, registration: attendee.registration_id, query: { limit: MANY } },
  });
  const ofPerson = usePages('listAuditLog', about(attendee.id), { enabled: audits });
  const ofRegistration = usePages('listAuditLog', about(attendee.registration_id), { enabled: audits });
  const entries = entriesAbout(attendee.id, [...(ofPerson.rows ?? []), ...(ofRegistration.rows ?? [])]);
  const telling = useTelling(entries);
  const all = [checkIns, tickets, messages, payments, ofPerson, ofRegistration];
  const items = [
    ...(tickets.rows ?? []).flatMap((one) => tellTicket(one, telling)),
    ...(messages.rows ?? []).map((one) => tellMessage(one, telling)),
    ...(payments.rows ?? []).map((one) => tellPayment(one, telling)),
    ...(checkIns.rows ?? []).map((one) => tellCheckIn(one, checkIns.rows ?? [], telling)),
    ...entries.filter(isNews).map((one) => tellEntry(one, attendee.id, telling)),
    // Last, because what happened at the same moment followed from it.
    tellRegistered(attendee, registration, telling),
    ...(registration === undefined ? [] : tellRegistration(registration, entries.length > 0, telling)),
  ];
  return {
    items: newestFirst(items),
    error: all.map((one) => one.error).find((error) => error !== null && !isHidden(error)) ?? null,
    loading: all.some((one) => one.isLoading),
  };
}

/** A member of a group does not see the money of registrations that also belong to others. */
const HIDDEN = ['mixed_groups', 'not_found', 'permission_required'];
const isHidden = (error: Error): boolean => error instanceof Problem && HIDDEN.includes(error.code);

/** The words with which things are told, and who did them. */
function useTelling(entries: readonly AuditEntry[]): Telling {
  const t = useWords('people');
  const [stateText, reasonText] = [useStateText(), useReasonText()];
  const [nameText, actionText] = [useNameText(), useActionText()];
  const { money, pointName, dayName } = useEvent();
  const by = (id: string, at: string, ...actions: string[]) => {
    const name = actorOf(entries, { id, at, actions });
    return name === undefined ? {} : { by: name };
  };
  return { t, stateText, reasonText, nameText, actionText, money, pointName, dayName, by };
}
