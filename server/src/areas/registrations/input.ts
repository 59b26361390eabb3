import { type AttendeeChange, type AttendeeInput, saleAt } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { Refusal } from '../../common/refusal.ts';
import type { Reach } from '../../road/request/reference.ts';
import type { Tx } from '../../store/tx.ts';
import { type AttendeeTypeRow, closesAt, type DayRow } from '../events/index.ts';
import { findGroup, type GroupRow } from '../groups/index.ts';
import { checkAnswers } from './answers.ts';
import { findByRef } from './find-by-ref.ts';
import type { Findings, FormRules } from './findings.ts';
import { readLines } from './lines.ts';
import { type AgreedPrice, agreedPrice, priceNow, repriced } from './price.ts';
import type { AttendeeState, AttendeeTexts } from './state.ts';
import { attendeeTexts } from './texts.ts';
import { daysOf, type EventWorld } from './world.ts';

/** An attendee's details after every reference has been resolved and every rule of the form has been checked. */
export type AttendeeDetails = Pick<
  AttendeeState,
  keyof AttendeeTexts | 'attendee_type_id' | 'group_id' | 'day_ids' | 'answers' | keyof AgreedPrice
>;

/** Reads one new attendee. Faults and refusals go to `findings`. Null if the attendee type is unknown, because nothing else can be checked then. */
export async function readAttendee(
  reach: Reach,
  world: EventWorld,
  input: AttendeeInput,
  path: string,
  fallbackGroup: Id | null,
  rules: FormRules,
  findings: Findings,
): Promise<AttendeeDetails | null> {
  const at = (field: string) => (path === '' ? field : `${path}/${field}`);
  const type = findByRef(world.types, input.attendee_type);
  if (type === null) {
    findings.faults.push({ path: at('attendee_type'), message: `no such attendee type: ${input.attendee_type}` });
  } else requireOffered(type, rules, findings);
  const group = await readGroup(reach, input.group, fallbackGroup, at('group'), findings);
  const day_ids = type === null ? [] : readDays(world, type, input.days, at('days'), findings, openDays(world, rules));
  const answers = type === null ? {} : checkAnswers(world, type, input.answers ?? {}, at('answers'), rules, findings);
  if (type === null) return null;
  const taker = { per: 'attendee', people: [{ attendee_type_id: type.id, day_ids }] } as const;
  const products = readLines(world, taker, input.products ?? [], [], at('products'), rules, findings);
  return {
    attendee_type_id: type.id,
    group_id: group,
    day_ids,
    ...attendeeTexts(input),
    answers,
    ...priceNow(type, rules.now),
    products,
  };
}

function requireOffered(
  type: AttendeeTypeRow,
  { hiddenTypes, revealed, now }: FormRules,
  { refusals }: Findings,
): void {
  if (hiddenTypes) return;
  const { id, code, visible, on_sale } = type;
  const refused = (why: string) =>
    refusals.push(new Refusal('type_not_available', { message: `The attendee type ${code} ${why}.` }));
  if (!visible && !revealed?.has(id)) return void refused('is not offered');
  const sale = saleAt(on_sale, now);
  if (sale === 'before') refused(`is on sale from ${on_sale!.from}`);
  if (sale === 'over') refused(`was on sale until ${on_sale!.until}`);
}

/** Reads a change to an attendee. Fields that are not sent stay as they are. Days that a new type does not offer must be chosen again. */
export async function readChange(
  reach: Reach,
  world: EventWorld,
  attendee: AttendeeDetails,
  input: AttendeeChange,
  rules: FormRules,
  findings: Findings,
): Promise<AttendeeDetails> {
  const was = world.types.get(attendee.attendee_type_id)!;
  const type = input.attendee_type === undefined ? was : findByRef(world.types, input.attendee_type);
  if (type === null)
    findings.faults.push({ path: 'attendee_type', message: `no such attendee type: ${input.attendee_type}` });
  else if (type.id !== was.id) requireOffered(type, rules, findings);
  const is = type ?? was;
  const day_ids =
    input.days === undefined && keepsDays(world, was, is, attendee.day_ids)
      ? attendee.day_ids
      : readDays(world, is, input.days, 'days', findings, openDays(world, rules, attendee.day_ids));
  const mustCheckAnswers = input.answers !== undefined || is.id !== was.id;
  const answers = mustCheckAnswers
    ? checkAnswers(world, is, input.answers ?? {}, 'answers', rules, findings, attendee.answers)
    : attendee.answers;
  const isOther = is.id !== was.id || day_ids.join() !== attendee.day_ids.join();
  const products =
    input.products === undefined && !isOther
      ? attendee.products
      : readLines(
          world,
          { per: 'attendee', people: [{ attendee_type_id: is.id, day_ids }] },
          input.products,
          attendee.products,
          'products',
          rules,
          findings,
        );
  return {
    attendee_type_id: is.id,
    group_id:
      input.group === undefined ? attendee.group_id : await readGroup(reach, input.group, null, 'group', findings),
    day_ids,
    ...attendeeTexts(input, attendee),
    answers,
    // What was agreed on stays unless the type changes.
    ...(is.id === was.id ? agreedPrice(attendee) : repriced(attendee, is, rules.now)),
    products,
  };
}

/** Whether an attendee keeps their days when the type changes. For a pass they must be chosen again. */
export function keepsDays(
  world: EventWorld,
  was: AttendeeTypeRow,
  is: AttendeeTypeRow,
  day_ids: readonly Id[],
): boolean {
  if (is.id === was.id) return true;
  const offered = daysOf(world, is);
  return is.pass_days === null && day_ids.every((day) => offered.includes(day));
}

async function readGroup(
  reach: Reach,
  ref: string | null | undefined,
  fallback: Id | null,
  path: string,
  findings: Findings,
): Promise<Id | null> {
  if (ref === undefined) return fallback;
  if (ref === null) {
    if (reach.caller.group === null) return null;
    findings.faults.push({
      path,
      message: 'must name a group: this key is limited to a group, and its attendees belong to it',
    });
    return null;
  }
  const group = await groupOnce(reach, ref);
  if (group === null) findings.faults.push({ path, message: `no such group: ${ref}` });
  return group?.id ?? null;
}

const groups = new WeakMap<Tx, Map<string, Promise<GroupRow | null>>>();

/** Finds a group once for all attendees of a transaction: 200 people who name the same group made 200 statements. */
function groupOnce({ tx, org, caller }: Reach, ref: string): Promise<GroupRow | null> {
  const found = groups.get(tx) ?? new Map<string, Promise<GroupRow | null>>();
  groups.set(tx, found);
  const key = `${caller.group?.id} ${ref}`;
  const group = found.get(key) ?? findGroup(tx, org, ref, caller);
  found.set(key, group);
  return group;
}

type IsOpen = (day: Id) => boolean;

/** Which days can still be chosen. Those that somebody has already (`own`) stay theirs when they are over. */
function openDays({ days, event }: EventWorld, { daysOpenAt }: FormRules, own: readonly Id[] = []): IsOpen {
  if (daysOpenAt === null) return () => true;
  const kept = new Set(own);
  const closes = closesOf(days, event.timezone);
  return (id) => kept.has(id) || closes(days.get(id)!) > daysOpenAt.getTime();
}

const closings = new WeakMap<object, Map<string, number>>();

/** When days close. Local midnights are computed once per map: a registration may name every day for each of its attendees. */
function closesOf(days: EventWorld['days'], timezone: string): (day: DayRow) => number {
  const known = closings.get(days) ?? new Map<string, number>();
  closings.set(days, known);
  return (day) => {
    const key = `${day.id} ${timezone}`;
    const closes = known.get(key) ?? Date.parse(closesAt(day, timezone));
    known.set(key, closes);
    return closes;
  };
}

/**
 * The days that were chosen. If none were named, a pass is for all days that it can still be used on, and every other type for the only
 * day that is left. A pass for which too few days are left is refused like a day that is over.
 */
export function readDays(
  world: EventWorld,
  type: AttendeeTypeRow,
  refs: readonly string[] | undefined,
  path: string,
  findings: Findings,
  isOpen: IsOpen = () => true,
): Id[] {
  const offered = daysOf(world, type);
  const refuseDay = (message: string) => void findings.refusals.push(new Refusal('day_not_available', { message }));
  if (refs === undefined) {
    const open = offered.filter(isOpen);
    if (offered.length > 0 && open.length < (type.pass_days ?? 1)) {
      refuseDay(
        open.length === 0
          ? `All days of the attendee type ${type.code} are over.`
          : `The attendee type ${type.code} is a pass for ${type.pass_days} days, and so many are not left.`,
      );
      return [];
    }
    if (type.pass_days !== null || open.length === 1) return open;
    const choices = open.map((id) => world.days.get(id)!.code).join(', ');
    findings.faults.push({
      path,
      message: choices === '' ? 'the event has no day for this type' : `is required; choose from: ${choices}`,
    });
    return [];
  }
  const chosen: DayRow[] = [];
  const possible = new Set(offered);
  for (const [i, ref] of refs.entries()) {
    const day = findByRef(world.days, ref);
    if (day === null) findings.faults.push({ path: `${path}/${i}`, message: `no such day: ${ref}` });
    else if (!possible.has(day.id)) refuseDay(`The day ${day.code} is not offered for the attendee type ${type.code}.`);
    else if (!isOpen(day.id)) refuseDay(`The day ${day.code} is over. For a late entry, send \`past_days: true\`.`);
    else chosen.push(day);
  }
  const ids = new Set(chosen.map((day) => day.id));
  if (type.pass_days !== null && ids.size === refs.length && ids.size < type.pass_days) {
    findings.faults.push({
      path,
      message: `must name at least ${type.pass_days} days, because the attendee type ${type.code} is a pass for ${type.pass_days} days`,
    });
  }
  return world.dayOrder.filter((day) => ids.has(day));
}
