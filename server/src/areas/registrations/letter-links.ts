import type { Id } from '../../common/ids.ts';
import type { PagesOf } from '../../common/page-links.ts';
import type { MailData } from '../../outside/mail-templates/index.ts';
import type { Links } from '../../road/for-areas/links.ts';
import type { QueuedMail } from '../../road/for-areas/mail.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';

/**
 * The links of a mail: the registrant's opens the registration, an attendee's only their own place. They are made for the address that
 * is registered now. A mail to any other address (a ticket sent elsewhere, a registrant who has changed since) has none.
 */
export async function linksOf(tx: Tx, links: Links, of: PagesOf, mail: QueuedMail): Promise<MailData['links']> {
  const { org_id: org, object_id: about } = mail;
  if (about === null) return {};
  const place = await tx.maybe<{ registration: Id; attendee: Id | null; email: string | null }>(sql`
    select r.id as registration, null::uuid as attendee, r.email from registrations r where r.org_id = ${org} and r.id = ${about}
    union all
    select a.registration_id, a.id, a.email from attendees a where a.org_id = ${org} and a.id = ${about}`);
  if (place === null || place.email === null || !isSame(place.email, mail.recipient)) return {};
  const { registration, attendee, email } = place;
  const manage = links.manage(of, { org, registration, attendee, email });
  return { manage, calendar: `${manage}/calendar.ics` };
}

/** The link in a message about an attendee: the registrant's if it goes to the registrant, else the attendee's own. */
export const linkOfAttendee =
  (links: Links) =>
  async (tx: Tx, org: Id, attendee: Id, recipient: string): Promise<string | null> => {
    const place = await tx.maybe<PagesOf & { registration: Id; own: string | null; registrant: string | null }>(sql`
      select a.registration_id as registration, a.email as own, r.email as registrant, o.code as org_code, o.page_host
      from attendees a
      join registrations r on r.org_id = a.org_id and r.id = a.registration_id
      join organizations o on o.id = a.org_id
      where a.org_id = ${org} and a.id = ${attendee}`);
    if (place === null) return null;
    const { registration, own, registrant } = place;
    if (registrant !== null && isSame(registrant, recipient)) {
      return links.manage(place, { org, registration, attendee: null, email: registrant });
    }
    return own === null || !isSame(own, recipient)
      ? null
      : links.manage(place, { org, registration, attendee, email: own });
  };

const isSame = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();
