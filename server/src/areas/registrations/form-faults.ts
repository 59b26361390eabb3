import type { AttendeeChange, AttendeeInput, ProductChoice, RegistrationCreate } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { type Fault, MAX_FAULTS, Refusal } from '../../common/refusal.ts';
import type { Reach } from '../../road/request/reference.ts';
import type { ValidPart } from '../../road/request/valid-part.ts';
import { columns, sql } from '../../store/sql.ts';
import type { EventRow } from '../events/index.ts';
import { amountFaults } from './amounts.ts';
import { applyDiscount, codeRefusal, findDiscount, isValid, needsCode } from './discount.ts';
import { Findings, formRules } from './findings.ts';
import { type AttendeeDetails, readAttendee, readChange } from './input.ts';
import { bookingFaults, discountOf, readLines } from './lines.ts';
import { sizeFault, sizeOf } from './size.ts';
import { type BookedLine, NO_LINES } from './state.ts';
import { totalCost } from './statuses.ts';
import { ATTENDEE_TEXTS } from './texts.ts';
import { worldOf } from './world.ts';

/**
 * The faults that the event's form finds with these attendees, as far as the body is well-formed. Groups are checked with the other
 * references of the body.
 */
export async function formFaults(
  reach: Reach,
  event: EventRow,
  attendees: readonly (readonly [path: string, attendee: ValidPart<AttendeeInput> | undefined])[],
  sent: SentForm,
): Promise<Fault[]> {
  return (await formFindings(reach, event, attendees, sent)).findings.faults;
}

/** What somebody who fills the form in has chosen, and what it costs as far as it is right. */
export interface FormDraft {
  findings: Findings;
  /** With what the code takes off. */
  details: AttendeeDetails[];
  /** What is booked for all of them together. */
  products: BookedLine[];
  total_minor: number;
  discount_minor: number;
  /** The code that is used. Null: none was typed, or it is refused. */
  discount: { code: string; name: string } | null;
  codeRefusal: Refusal | null;
  /** The hidden types that the code reveals. */
  revealed: ReadonlySet<Id>;
}

/** The parts of a registration that the form's rules look at besides its attendees. */
type SentForm = ValidPart<Pick<RegistrationCreate, 'past_days' | 'products' | 'discount_code'>>;

/** The same with everything that the form would refuse, for whoever is still filling it in. */
export async function formFindings(
  reach: Reach,
  event: EventRow,
  attendees: readonly (readonly [path: string, attendee: ValidPart<AttendeeInput> | undefined])[],
  sent: SentForm = {},
): Promise<FormDraft> {
  const world = await worldOf(reach.tx, reach.org, event);
  const now = reach.tx.clock.now();
  const { discount_code: code } = sent;
  const found = code === undefined ? null : await findDiscount(reach, event.id, code);
  const discount = found !== null && isValid(found, now) ? found : null;
  const findings = new Findings();
  const rules = formRules(now, sent, reach.caller, discount);
  const read: AttendeeDetails[] = [];
  for (const [path, attendee] of attendees) {
    if (findings.faults.length > MAX_FAULTS) break;
    if (attendee?.attendee_type === undefined) continue;
    const { attendee_type, days, answers, products } = attendee;
    const named = {
      ...{ first_name: '', last_name: '', attendee_type },
      ...(answers && { answers }),
      ...wholeDays(days),
      ...wholeProducts(products),
    };
    const details = await readAttendee(reach, world, named, path, null, rules, findings);
    if (details !== null) read.push(details);
  }
  const isAlone = attendees[0]?.[0] === '';
  const booked = isAlone
    ? NO_LINES
    : readLines(
        world,
        { per: 'registration', people: read },
        wholeProducts(sent.products).products ?? [],
        [],
        'products',
        rules,
        findings,
      );
  const tooLarge = sizeFault(sizeOf(world, read), isAlone ? 'days' : 'attendees');
  if (tooLarge !== null) findings.faults.push(tooLarge);
  if (!isAlone) findings.faults.push(...bookingFaults(read, booked, totalCost(read, booked), 'attendees'));
  const isWhole = read.length === attendees.length && !isAlone;
  if (isWhole && !rules.hiddenTypes) findings.faults.push(...amountFaults(world, read));
  const bought =
    discount === null || read.length === 0
      ? { attendees: read, products: booked }
      : applyDiscount(discount, { attendees: read, products: booked }, needsCode(world, reach.caller));
  const refused = bought instanceof Refusal ? bought : null;
  const { attendees: details, products } = bought instanceof Refusal ? { attendees: read, products: booked } : bought;
  return {
    findings,
    details,
    products,
    total_minor: totalCost(details, products),
    discount_minor: details.reduce(
      (sum, one) => sum + one.discount_minor + discountOf(one.products),
      discountOf(products),
    ),
    discount: discount === null || refused !== null ? null : { code: discount.code, name: discount.name },
    codeRefusal: (code === undefined ? null : codeRefusal(found, code, now, reach.caller)) ?? refused,
    revealed: rules.revealed ?? new Set(),
  };
}

/** The faults that the event's form finds with a change to an attendee. */
export async function changeFaults(
  reach: Reach,
  event: EventRow,
  { id }: { id: Id },
  { attendee_type, days, answers, products, past_days }: ValidPart<AttendeeChange>,
): Promise<Fault[]> {
  const world = await worldOf(reach.tx, reach.org, event);
  const attendee = await reach.tx.maybe<AttendeeDetails>(sql`
    select attendee_type_id, group_id, day_ids, ${columns(ATTENDEE_TEXTS)}, answers, price_minor, price_name, discount_minor, discount_id, products
    from attendees where org_id = ${reach.org} and id = ${id}`);
  if (attendee === null) return [];
  const findings = new Findings();
  const sent = {
    ...(attendee_type && { attendee_type }),
    ...(answers && { answers }),
    ...wholeDays(days),
    ...wholeProducts(products),
  };
  await readChange(
    reach,
    world,
    attendee,
    sent,
    formRules(reach.tx.clock.now(), { past_days }, reach.caller),
    findings,
  );
  return findings.faults;
}

/** The days, unless an entry is malformed: that is a fault already, so the list as a whole is not checked. */
const wholeDays = (days: readonly (string | undefined)[] | undefined): { days?: string[] } =>
  days?.every((day) => day !== undefined) ? { days: days as string[] } : {};

/** The same for products. */
const wholeProducts = (
  products: readonly (ValidPart<ProductChoice> | undefined)[] | undefined,
): { products?: ProductChoice[] } =>
  products?.every((one) => one?.product !== undefined) ? { products: products as ProductChoice[] } : {};
