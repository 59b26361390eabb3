import { type RegistrationCreate as Body, RegistrationCreate } from '@turnout/contract';
import type { Fault, Refusal } from '../../common/refusal.ts';
import type { PublicOrganization } from '../../road/for-areas/visitors.ts';
import type { Reach } from '../../road/request/reference.ts';
import { badText, bodyCheck } from '../../road/request/validate.ts';
import type { Tx } from '../../store/tx.ts';
import { emailKey } from '../contacts/index.ts';
import { type EventWorld, forecastRoom, formFindings, type RoomForecast, worldOf } from '../registrations/index.ts';
import { mostPeople } from './chooser.ts';
import { bodyOf, type Draft, isSelf } from './draft.ts';
import type { PageParts } from './parts.ts';
import { anybody, readTogether, type ShownEvent } from './shown.ts';
import type { Site } from './site.ts';

const check = bodyCheck(RegistrationCreate);

/** What is wrong with a form: beside which field, and why the whole cannot be sent. */
export interface DraftCheck {
  world: EventWorld;
  body: Body;
  /** By the name of the field. */
  faults: Map<string, Fault>;
  refusal: Refusal | null;
  /** What would become of it now. Null if something is wrong with it. */
  room: RoomForecast | null;
}

/**
 * Looks through a form before it is booked, so that every fault is said at once and beside its field. It uses the rules of the API and
 * books nothing; whether there is room is foretold here, and decided when the form is sent.
 */
export function checkDraft(parts: PageParts, site: Site, shown: ShownEvent, draft: Draft): Promise<DraftCheck> {
  const { organization } = site;
  return readTogether(parts, organization, async (tx) => {
    const world = await worldOf(tx, organization.org.id, shown.event);
    const body = bodyOf(draft, world, site.language);
    const reach = reachOf(tx, organization);
    const { findings, details } = await formFindings(
      reach,
      shown.event,
      body.attendees.map((one, i) => [`attendees/${i}`, one] as const),
    );
    const faults = new Map<string, Fault>();
    const unstorable = badText(JSON.stringify(body), body);
    const all = [...unstorable, ...ownFaults(draft, shown), ...check(body), ...findings.faults, ...findings.unanswered];
    for (const fault of all) {
      const field = fieldOf(draft, fault.path);
      if (!faults.has(field)) faults.set(field, fault);
    }
    const refusal = findings.refusal();
    const cap = organization.plan.limits.attendees_per_event;
    const isRight = faults.size === 0 && refusal === null;
    const room = isRight ? await forecastRoom(tx, organization.org.id, world, cap, details) : null;
    return { world, body, faults, refusal, room };
  });
}

const reachOf = (tx: Tx, organization: PublicOrganization): Reach => ({
  tx,
  org: organization.org.id,
  caller: anybody(organization, tx.clock.now()),
  mode: 'live',
});

/** What the pages ask for beyond the API: somebody to write to. And what only a person needs to be told. */
function ownFaults(draft: Draft, shown: ShownEvent): Fault[] {
  const faults: Fault[] = [];
  const missing = (path: string) => faults.push({ path, message: 'is required', rule: 'required' });
  const { contact, people } = draft;
  if (contact.first.trim() === '') missing('contact/first_name');
  if (contact.last.trim() === '') missing('contact/last_name');
  if (contact.email.trim() === '') missing('contact/email');
  if (people.length > mostPeople(shown)) {
    faults.push({ path: 'attendees', message: 'too many people', rule: 'too_many', limit: mostPeople(shown) });
  }
  if (shown.event.registration.unique_email) {
    const seen = new Set<string>();
    for (const [i, person] of people.entries()) {
      const key = emailKey(isSelf(draft, i) ? contact.email : person.email);
      if (key !== null && seen.has(key))
        faults.push({ path: `attendees/${i}/email`, message: 'is here twice', rule: 'repeated' });
      if (key !== null) seen.add(key);
    }
  }
  return faults;
}

const CONTACT: Readonly<Record<string, string>> = {
  first_name: 'first',
  last_name: 'last',
  email: 'email',
  phone: 'phone',
};

/** The field of the form that a path of the body comes from; '' for the form as a whole. */
export function fieldOf(draft: Draft, path: string): string {
  const [where, place = '', name = '', ...rest] = path.split('/');
  if (where === 'contact') return CONTACT[place] === undefined ? '' : `c-${CONTACT[place]}`;
  if (where !== 'attendees' || place === '') return '';
  const i = Number(place);
  if (name === 'answers') return rest.length === 0 ? '' : `p${i}-q-${rest.join('/')}`;
  if (name === 'days' || name === 'attendee_type') return name === 'days' ? `p${i}-days` : `p${i}-type`;
  const field = CONTACT[name];
  return field === undefined ? '' : isSelf(draft, i) ? `c-${field}` : `p${i}-${field}`;
}
