import { type RegistrationCreate as Body, RegistrationCreate } from '@turnout/contract';
import type { Fault, Refusal } from '../../common/refusal.ts';
import type { PublicOrganization } from '../../road/for-areas/visitors.ts';
import type { Reach } from '../../road/request/reference.ts';
import { badText, bodyCheck } from '../../road/request/validate.ts';
import type { Tx } from '../../store/tx.ts';
import { emailKey } from '../contacts/index.ts';
import {
  type AttendeeDetails,
  type EventWorld,
  forecastRoom,
  formFindings,
  type RoomForecast,
  worldOf,
} from '../registrations/index.ts';
import { mostPeople } from './chooser.ts';
import { type Draft, isSelf } from './draft.ts';
import { bodyOf } from './draft-body.ts';
import { productsField, type Taker, takersOf } from './offers.ts';
import type { PageParts } from './parts.ts';
import { chosenBy, missingFor, productField, shortOf } from './product-choices.ts';
import { type Quote, quoteOf } from './quote.ts';
import { anybody, readTogether, type ShownEvent } from './shown.ts';
import type { Site } from './site.ts';

const check = bodyCheck(RegistrationCreate);

/** What is wrong with a form: beside which field, and why the whole cannot be sent. */
export interface DraftCheck {
  world: EventWorld;
  body: Body;
  /** By the name of the field. */
  faults: Map<string, Fault>;
  /** The same for what too little is left of now. It is not asked when a form is booked: that decides by itself. */
  short: Map<string, Fault>;
  refusal: Refusal | null;
  /** What would become of it now. Null if something is wrong with it. */
  room: RoomForecast | null;
  quote: Quote;
}

/**
 * Looks through a form before it is booked, so that every fault is said at once and beside its field. It uses the rules of the API and
 * books nothing; whether there is room is foretold here, and decided when the form is sent.
 */
export function checkDraft(parts: PageParts, site: Site, shown: ShownEvent, draft: Draft): Promise<DraftCheck> {
  const { organization } = site;
  return readTogether(parts, organization, async (tx) => {
    const world = await worldOf(tx, organization.org.id, shown.event);
    const body = bodyOf(shown, draft, world, site.language);
    const reach = reachOf(tx, organization);
    const filled = await formFindings(
      reach,
      shown.event,
      body.attendees.map((one, i) => [`attendees/${i}`, one] as const),
      body,
    );
    const { findings, details } = filled;
    const faults = new Map<string, Fault>();
    const unstorable = badText(JSON.stringify(body), body);
    const all = [...unstorable, ...ownFaults(draft, shown), ...check(body), ...findings.faults, ...findings.unanswered];
    for (const fault of all) {
      const field = fieldOf(shown, draft, fault.path);
      if (!faults.has(field)) faults.set(field, fault);
    }
    for (const [field, fault] of missingFaults(site, shown, draft)) if (!faults.has(field)) faults.set(field, fault);
    const short = shortFaults(site, shown, draft);
    const codeFault = (code: Refusal['code']): Fault => ({
      path: 'discount_code',
      message: site.words.find('refusals', code)!,
    });
    if (filled.codeRefusal !== null) faults.set('code', codeFault(filled.codeRefusal.code));
    else if (isUsedUp(shown, details)) short.set('code', codeFault('discount_used_up'));
    const refusal = findings.refusal();
    const cap = organization.plan.limits.attendees_per_event;
    const isRight = faults.size === 0 && refusal === null;
    const room = isRight ? await forecastRoom(tx, organization.org.id, world, cap, details, filled.products) : null;
    return { world, body, faults, short, refusal, room, quote: quoteOf(world, filled) };
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

/** Whether a code has too few uses left for everybody whom it would cover. */
function isUsedUp({ event, discount }: ShownEvent, details: readonly AttendeeDetails[]): boolean {
  if (discount === null || discount.max_people === null) return false;
  const left = discount.max_people - (event.test ? discount.used_test : discount.used);
  return details.filter(({ discount_id }) => discount_id !== null).length > left;
}

type Said = [field: string, fault: Fault];
const said = (field: string, message: string): Said => [field, { path: field, message }];

/** Products that somebody has to take and has not chosen. */
const missingFaults = ({ t }: Site, shown: ShownEvent, draft: Draft): Said[] =>
  takersOf(draft).flatMap((taker) =>
    missingFor(shown, draft, taker).map(({ code }) => said(productField(taker, code), t('chooseOne'))),
  );

const shortFaults = ({ t }: Site, shown: ShownEvent, draft: Draft): Map<string, Fault> =>
  new Map(
    shortOf(shown, draft).map(({ field, left }) =>
      said(field, left === 0 ? t('soldOutNow') : t('onlyLeft', { count: left })),
    ),
  );

const CONTACT: Readonly<Record<string, string>> = {
  first_name: 'first',
  last_name: 'last',
  email: 'email',
  phone: 'phone',
};

/** The field of the form that a path of the body comes from; '' for the form as a whole. */
export function fieldOf(shown: ShownEvent, draft: Draft, path: string): string {
  const [where, place = '', name = '', ...rest] = path.split('/');
  if (where === 'discount_code') return 'code';
  if (where === 'products') return productAt(shown, draft, 'all', place);
  if (where === 'contact') return CONTACT[place] === undefined ? '' : `c-${CONTACT[place]}`;
  if (where !== 'attendees' || place === '') return '';
  const i = Number(place);
  if (name === 'products') return productAt(shown, draft, i, rest[0]);
  if (name === 'answers') return rest.length === 0 ? '' : `p${i}-q-${rest.join('/')}`;
  if (name === 'days' || name === 'attendee_type') return name === 'days' ? `p${i}-days` : `p${i}-type`;
  const field = CONTACT[name];
  return field === undefined ? '' : isSelf(draft, i) ? `c-${field}` : `p${i}-${field}`;
}

/** The field of a product by its place in the body; all products of the taker if it is no place, or of one that is no longer sold. */
function productAt(shown: ShownEvent, draft: Draft, taker: Taker, place: string | undefined): string {
  const chosen = place === undefined || place === '' ? undefined : chosenBy(shown, draft, taker)[Number(place)];
  return chosen === undefined || chosen.product === null ? productsField(taker) : chosen.field;
}
