import type { PublicRegistration } from '@turnout/contract';
import { monthOf } from '../../clock.ts';
import { Refusal } from '../../common/refusal.ts';
import type { Caller } from '../../road/caller.ts';
import type { PublicOrganization } from '../../road/for-areas/visitors.ts';
import { findMember } from '../../road/gate/authenticate.ts';
import { sessionToken } from '../../road/gate/identify.ts';
import { type Tx, transaction } from '../../store/tx.ts';
import { type DiscountRow, findEvent } from '../events/index.ts';
import { pictureSize } from '../pictures/index.ts';
import { leftOf, type PlacesLeft, registrationState } from './availability.ts';
import type { PageParts, PageRequest } from './parts.ts';
import { hasCodes, type PublicEvent, readPublic, readRevealed, SHOWN } from './queries.ts';

/** An event as a page shows it. */
export interface ShownEvent extends PublicEvent {
  left: PlacesLeft;
  state: PublicRegistration;
  /** The size of its picture, so that the page keeps the room for it. Only read for the event's own page. */
  cover: { width: number; height: number } | null;
  /** Nobody else sees it: a member looks at a draft or a test event. */
  preview: boolean;
  /** Whether there are codes to ask for. */
  hasCodes: boolean;
  /** The discount whose code the visitor has. */
  discount: DiscountRow | null;
}

/** Reads of the pages see one state of the database, with the rights of the organization. */
export const readTogether = <T>(
  { pool, clock }: PageParts,
  { org }: PublicOrganization,
  work: (tx: Tx) => Promise<T>,
) => transaction(pool, clock, { role: 'app', org: org.id }, work, { readOnly: true });

/** Whoever is not signed in sees an organization's events as a key that is limited to nothing would. */
export const anybody = ({ org, plan }: PublicOrganization, now: Date): Caller => ({
  actor: { kind: 'system', id: null, name: 'pages' },
  org,
  plan,
  mode: 'live',
  group: null,
  usage: { month: monthOf(now), calls: 0 },
});

/** The event that everybody may see at this address, or null. */
export function shownToAll(
  parts: PageParts,
  organization: PublicOrganization,
  ref: string,
): Promise<ShownEvent | null> {
  return show(parts, organization, anybody(organization, parts.clock.now()), ref, false);
}

/** The same, or else an event that only the organization's members may look at before it is published. */
export async function shownTo(
  parts: PageParts,
  organization: PublicOrganization,
  request: PageRequest,
  ref: string,
): Promise<ShownEvent | null> {
  const shown = await shownToAll(parts, organization, ref);
  return shown ?? previewOf(parts, organization, request, ref);
}

/** Whether nothing can be sent, because it is not published. Tests are previews too, but take registrations. */
export const isDraft = ({ event }: Pick<ShownEvent, 'event'>): boolean => event.status === 'draft';

export async function previewOf(
  parts: PageParts,
  organization: PublicOrganization,
  request: PageRequest,
  ref: string,
): Promise<ShownEvent | null> {
  const member = await memberOf(parts, organization, request);
  return member === null ? null : show(parts, organization, member, ref, true);
}

async function show(
  parts: PageParts,
  organization: PublicOrganization,
  caller: Caller,
  ref: string,
  preview: boolean,
): Promise<ShownEvent | null> {
  if (ref.length > 100 || ref.includes('\u0000')) return null;
  return readTogether(parts, organization, async (tx) => {
    const event = await findEvent(tx, caller, ref, 'read');
    if (event === null || event.status === 'archived') return null;
    const isOpen = SHOWN.includes(event.status) && !event.test;
    if (!isOpen && !preview) return null;
    const [[found], cover, isCoded] = await Promise.all([
      readPublic(tx, organization.org.id, [event]),
      event.image_id === null ? null : pictureSize(tx, organization.org.id, event.image_id),
      hasCodes(tx, organization.org.id, event.id),
    ]);
    const now = tx.clock.now();
    // A draft is previewed as it will be once it is published.
    const previewed =
      event.status === 'draft' ? { ...found!, event: { ...event, status: 'published' as const } } : found!;
    const left = leftOf(found!, organization.plan.limits.attendees_per_event, now);
    const state = registrationState(previewed, now);
    return { ...found!, cover, left, state, preview: !isOpen, hasCodes: isCoded, discount: null };
  });
}

/** The same event for somebody who has a code: with the types that it reveals. */
export function withDiscount(
  parts: PageParts,
  organization: PublicOrganization,
  shown: ShownEvent,
  discount: DiscountRow,
): Promise<ShownEvent> {
  return readTogether(parts, organization, async (tx) => {
    const revealed = await readRevealed(tx, organization.org.id, shown.event.id, discount.reveal_ids);
    const all = { ...shown, discount, types: [...shown.types, ...revealed] };
    return { ...all, left: leftOf(all, organization.plan.limits.attendees_per_event, tx.clock.now()) };
  });
}

/** The member whose session comes with the request, if they may see events. */
async function memberOf(
  { pool, clock, publicUrl }: PageParts,
  { org }: PublicOrganization,
  request: PageRequest,
): Promise<Caller | null> {
  const token = sessionToken(request, publicUrl);
  if (token === undefined) return null;
  try {
    const caller = await findMember(pool, clock, token, org.code, request.ip);
    return caller.actor.kind === 'member' && caller.actor.permissions.includes('events.read') ? caller : null;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
