import { DAY } from '../../clock.ts';
import type { Id } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import type { Links, Manages } from '../../road/for-areas/links.ts';
import type { PublicOrganization } from '../../road/for-areas/visitors.ts';
import { sql } from '../../store/sql.ts';
import { type Tx, transaction } from '../../store/tx.ts';
import { type EventRow, eventById } from '../events/index.ts';
import {
  type AttendeeState,
  balanceOf,
  type EventWorld,
  isRefunding,
  type LinkHolder,
  loadRegistrations,
  type RegistrationState,
  worldOf,
} from '../registrations/index.ts';
import type { PageParts, PageRequest } from './parts.ts';

/** Links live until so long after the event. */
const LIVES_AFTER = 90 * DAY;

/** What a link to manage a registration has opened. */
export interface OpenedLink {
  token: string;
  world: EventWorld;
  registration: RegistrationState;
  /** The attendee whose own link it is. Null: it is the registrant's and opens the whole registration. */
  attendee: AttendeeState | null;
  /** Whether the link was mailed to the address. If not, it was shown to whoever filled in the form, who may have typed any address. */
  mailed: boolean;
  /** Whether the registrant has paid twice, and the second payment is about to be sent back. */
  refunding: boolean;
}

/** Until when links of an event work. One without any date has links for as long as it is not archived. */
export function isLive({ starts_at, ends_at, status }: EventRow, now: Date): boolean {
  const end = ends_at ?? starts_at;
  if (end === null) return status !== 'archived';
  return now.getTime() < Date.parse(end) + LIVES_AFTER;
}

/** An id that nothing has. */
const NOBODY: Id = '00000000-0000-0000-0000-000000000000';

interface Addresses {
  registrant: string | null;
  attendee: string | null;
}

/**
 * Opens a link, or refuses it. Whatever is wrong with it (it is no link, was not made by us, belongs to another organization or is too
 * old, or the person has another address by now or was erased), the same is read, the same is computed and the answer is the same.
 */
export async function openLink(
  { pool, clock, links }: Pick<PageParts, 'pool' | 'clock' | 'links'>,
  { org }: PublicOrganization,
  { params }: PageRequest,
): Promise<OpenedLink> {
  const token = params.token!;
  const named: Manages = links.readManage(token) ?? { registration: NOBODY, attendee: null };
  return transaction(
    pool,
    clock,
    { role: 'app', org: org.id },
    async (tx) => readLink(tx, org.id, token, named, links),
    {
      readOnly: true,
    },
  );
}

async function readLink(tx: Tx, org: Id, token: string, named: Manages, links: Links): Promise<OpenedLink> {
  const [found, event] = await Promise.all([
    tx.maybe<Addresses>(sql`
      select r.email as registrant, a.email as attendee from registrations r
      left join attendees a on a.org_id = r.org_id and a.registration_id = r.id and a.id = ${named.attendee}
      where r.org_id = ${org} and r.id = ${named.registration}`),
    eventById(tx, org, sql`(select event_id from registrations where org_id = ${org} and id = ${named.registration})`),
  ]);
  const email = named.attendee === null ? found?.registrant : found?.attendee;
  const way = links.wayOf(token, { ...named, org, email: email ?? '' });
  if (way === null || email == null || event === null || !isLive(event, tx.clock.now())) return refuse('not_found');
  const [[registration], world] = await Promise.all([
    loadRegistrations(tx, org, sql`id = ${named.registration}`),
    worldOf(tx, org, event),
  ]);
  const attendee = registration!.attendees.find(({ id }) => id === named.attendee) ?? null;
  const refunding = balanceOf(registration!) < 0 && (await isRefunding(tx, org, registration!.id));
  return { token, world, registration: registration!, attendee, mailed: way === 'mailed', refunding };
}

/** Whoever came by this link, for work that checks it again under the event's clock: the registrant may have changed since. */
export function holderOf(links: Links, org: Id, token: string, now: Date): LinkHolder {
  const named = links.readManage(token) ?? refuse('not_found');
  return {
    attendee: named.attendee,
    opens: (registration, event) => {
      const email =
        named.attendee === null
          ? registration.contact.email
          : registration.attendees.find(({ id }) => id === named.attendee)?.email;
      if (registration.id !== named.registration || email == null || !isLive(event, now)) return null;
      const way = links.wayOf(token, { ...named, org, email });
      return way === null ? null : { email, mailed: way === 'mailed' };
    },
  };
}
