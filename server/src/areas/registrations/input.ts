import type { AttendeeChange, AttendeeInput } from '@turnout/contract';
import type { Reach } from '../../road/reference.ts';
import { type Fault, Refusal } from '../../road/refusal.ts';
import { type Id, parseRef } from '../../store/ids.ts';
import { present } from '../contacts/index.ts';
import type { AttendeeTypeRow, DayRow } from '../events/index.ts';
import { findGroup } from '../groups/index.ts';
import { checkAnswers } from './answers.ts';
import type { AttendeeState } from './state.ts';
import { daysOf, type EventWorld } from './world.ts';

/** What a person's details come to once every reference is found and every rule of the form was asked. */
export type AttendeeDetails = Pick<
  AttendeeState,
  | 'attendee_type_id'
  | 'group_id'
  | 'day_ids'
  | 'first_name'
  | 'last_name'
  | 'email'
  | 'phone'
  | 'date_of_birth'
  | 'external_id'
  | 'answers'
  | 'price_minor'
>;

/** Which rules of the form apply: an import, an organizer's tool, is not held to all of them. */
export interface FormRules {
  /** Types that are not offered to the public. */
  hiddenTypes: boolean;
  requiredAnswers: boolean;
  /** Answers to questions that the event does not ask. */
  otherAnswers: boolean;
}
export const FORM: FormRules = { hiddenTypes: false, requiredAnswers: true, otherAnswers: false };

/** Faults (400) are gathered over everybody; refusals (422) are kept by their rank, and the first that applies is given. */
export class Findings {
  readonly faults: Fault[] = [];
  readonly refusals: Refusal[] = [];
  readonly unanswered: Fault[] = [];

  /** The one refusal to give, or null. */
  verdict(): Refusal | null {
    if (this.faults.length > 0) {
      const named = this.faults.slice(0, 3).map((fault) => `${fault.path} ${fault.message}`);
      return new Refusal('validation_failed', {
        message: `The request is not valid: ${named.join('; ')}.`,
        details: this.faults,
      });
    }
    for (const code of ['type_not_available', 'day_not_available'] as const) {
      const first = this.refusals.find((refusal) => refusal.code === code);
      if (first !== undefined) return first;
    }
    return this.unanswered.length > 0 ? new Refusal('answer_required', { details: this.unanswered }) : null;
  }
}

const codes = new WeakMap<object, Map<string, unknown>>();

/** By id or code. A registration may name every day for each of its people: looking through all days for each took seconds. */
function pick<Row extends { id: Id; code: string }>(rows: ReadonlyMap<Id, Row>, ref: string): Row | null {
  const { id, code } = parseRef(ref);
  if (id !== null) return rows.get(id) ?? null;
  let byCode = codes.get(rows) as Map<string, Row> | undefined;
  if (byCode === undefined) {
    byCode = new Map([...rows.values()].map((row) => [row.code.toLowerCase(), row]));
    codes.set(rows, byCode);
  }
  return byCode.get(code.toLowerCase()) ?? null;
}

/** One new person. Faults and refusals go to `findings`; null when there is no sense in going on with this person. */
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
  const type = pick(world.types, input.attendee_type);
  if (type === null) {
    findings.faults.push({ path: at('attendee_type'), message: `no such attendee type: ${input.attendee_type}` });
  } else if (!type.visible && !rules.hiddenTypes) {
    findings.refusals.push(
      new Refusal('type_not_available', { message: `The attendee type ${type.code} is not offered.` }),
    );
  }
  const group = await readGroup(reach, input.group, fallbackGroup, at('group'), findings);
  const day_ids = type === null ? [] : readDays(world, type, input.days, at('days'), findings);
  const answers = type === null ? {} : checkAnswers(world, type, input.answers ?? {}, at('answers'), rules, findings);
  if (type === null) return null;
  return {
    attendee_type_id: type.id,
    group_id: group,
    day_ids,
    first_name: input.first_name.trim(),
    last_name: input.last_name.trim(),
    email: present(input.email),
    phone: present(input.phone),
    date_of_birth: input.date_of_birth ?? null,
    external_id: present(input.external_id),
    answers,
    price_minor: type.price_minor,
  };
}

/** A person as changed: what is not sent stays. Days that the new type does not offer must be chosen anew. */
export async function readChange(
  reach: Reach,
  world: EventWorld,
  person: AttendeeDetails,
  input: AttendeeChange,
  findings: Findings,
): Promise<AttendeeDetails> {
  const was = world.types.get(person.attendee_type_id)!;
  const type = input.attendee_type === undefined ? was : pick(world.types, input.attendee_type);
  if (type === null)
    findings.faults.push({ path: 'attendee_type', message: `no such attendee type: ${input.attendee_type}` });
  else if (type.id !== was.id && !type.visible) {
    findings.refusals.push(
      new Refusal('type_not_available', { message: `The attendee type ${type.code} is not offered.` }),
    );
  }
  const is = type ?? was;
  const day_ids =
    input.days === undefined && keepsDays(world, was, is, person.day_ids)
      ? person.day_ids
      : readDays(world, is, input.days, 'days', findings);
  const asked = input.answers !== undefined || is.id !== was.id;
  const answers = asked
    ? checkAnswers(world, is, input.answers ?? {}, 'answers', FORM, findings, person.answers)
    : person.answers;
  const or = <T>(sent: T | undefined, kept: T): T => (sent === undefined ? kept : sent);
  return {
    attendee_type_id: is.id,
    group_id:
      input.group === undefined ? person.group_id : await readGroup(reach, input.group, null, 'group', findings),
    day_ids,
    first_name: or(input.first_name, person.first_name).trim(),
    last_name: or(input.last_name, person.last_name).trim(),
    email: present(or(input.email, person.email)),
    phone: present(or(input.phone, person.phone)),
    date_of_birth: or(input.date_of_birth, person.date_of_birth),
    external_id: present(or(input.external_id, person.external_id)),
    answers,
    // A price agreed on stays unless the type changes.
    price_minor: is.id === was.id ? person.price_minor : is.price_minor,
  };
}

/** Whether somebody's days go on when the type changes: those of a pass are chosen anew. */
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
    findings.faults.push({ path, message: 'this key is limited to a group; its people belong to it' });
    return null;
  }
  const group = await findGroup(reach.tx, reach.org, ref, reach.caller);
  if (group === null) findings.faults.push({ path, message: `no such group: ${ref}` });
  return group?.id ?? null;
}

export function readDays(
  world: EventWorld,
  type: AttendeeTypeRow,
  refs: readonly string[] | undefined,
  path: string,
  findings: Findings,
): Id[] {
  const offered = daysOf(world, type);
  if (refs === undefined) {
    if (type.pass_days !== null || offered.length === 1) return offered;
    const choices = offered.map((id) => world.days.get(id)!.code).join(', ');
    findings.faults.push({
      path,
      message: choices === '' ? 'the event has no day for this type' : `is required; choose from: ${choices}`,
    });
    return [];
  }
  const chosen: DayRow[] = [];
  const possible = new Set(offered);
  for (const [i, ref] of refs.entries()) {
    const day = pick(world.days, ref);
    if (day === null) findings.faults.push({ path: `${path}/${i}`, message: `no such day: ${ref}` });
    else if (!possible.has(day.id)) {
      findings.refusals.push(
        new Refusal('day_not_available', {
          message: `The day ${day.code} is not offered for the attendee type ${type.code}.`,
        }),
      );
    } else chosen.push(day);
  }
  const ids = new Set(chosen.map((day) => day.id));
  if (type.pass_days !== null && ids.size === refs.length && ids.size < type.pass_days) {
    findings.faults.push({ path, message: `a pass of ${type.pass_days} days needs at least as many to choose from` });
  }
  return world.dayOrder.filter((day) => ids.has(day));
}
