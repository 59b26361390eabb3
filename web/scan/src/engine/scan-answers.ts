import { type Decision, messageFor, type PointKind, SUCCESS_OF } from '@turnout/checkin';
import type { Manifest, ScanResponse } from '@turnout/client';
import type { KeptEntry, KeptPerson } from '../roster/entry.ts';
import type { QueueRow } from '../store/rows.ts';
import type { DoorAnswer, PersonAnswer, ScanAnswer } from './types.ts';

/** Builds the answer to a scan as the screen shows it, with names instead of codes. */

type NamedThings = readonly { readonly id?: string; readonly code: string; readonly name?: string }[];

/** Things are named by their code or their id. */
export function nameOf(things: NamedThings | undefined, reference: string): string {
  const same = ({ id, code }: NamedThings[number]) =>
    id === reference || code.toLowerCase() === reference.toLowerCase();
  return things?.find(same)?.name ?? reference;
}

interface ScanContext {
  readonly row: QueueRow;
  readonly manifest: Manifest | null;
  readonly entry: KeptEntry | null;
}

const pointKind = ({ row, manifest }: ScanContext): PointKind =>
  manifest?.check_in_points.find(({ code }) => code === row.point)?.kind ?? 'entry';

const commonFields = (context: ScanContext) => ({
  client_uuid: context.row.client_uuid,
  point: context.row.point,
  point_kind: pointKind(context),
  test: context.row.test || context.manifest?.event.test === true,
  scanned_at: context.row.scanned_at,
});

export function serverAnswer(context: ScanContext, response: ScanResponse): ScanAnswer {
  const { manifest, entry } = context;
  const known = (person: string) => entry?.people.find(({ id }) => id === person);
  const daysOf = (person: string): readonly string[] => known(person)?.days ?? response.ticket?.days ?? [];
  return {
    ...commonFields(context),
    by: 'server',
    result: response.result,
    reason: response.reason,
    admitted: response.admitted,
    tone: response.message.tone,
    people: response.people.map((person) => ({
      id: person.id,
      first_name: person.first_name,
      last_name: person.last_name,
      attendee_type: nameOf(manifest?.attendee_types, person.attendee_type),
      group: person.group === null ? null : nameOf(manifest?.groups, person.group),
      days: daysOf(person.id).map((day) => nameOf(manifest?.days, day)),
      answers: doorAnswers(manifest, known(person.id)),
      ticket: context.row.ticket,
      result: person.result,
      reason: person.reason,
      admitted: person.admitted,
      first: firstOf(manifest, person.first_admission ?? null),
    })),
    ticket_id: response.ticket?.id ?? null,
    ...codeOf(context, response),
    test: response.test,
    checkins: checkInsOf(response),
  };
}

export const checkInsOf = ({ checkins }: ScanResponse): ScanAnswer['checkins'] =>
  checkins.map(({ id, attendee_id, admitted }) => ({ id, attendee_id, admitted }));

export function deviceAnswer(context: ScanContext, decision: Decision): ScanAnswer {
  const { entry } = context;
  return {
    ...commonFields(context),
    by: 'device',
    result: decision.result,
    reason: decision.reason,
    admitted: decision.admitted,
    tone: messageFor(decision).tone,
    people: decision.people.map((one) => personAnswer(context, one)),
    ticket_id: entry?.ticket_id ?? null,
    ...codeOf(context, decision),
    checkins: [],
  };
}

function personAnswer({ row, manifest, entry }: ScanContext, decided: Decision['people'][number]): PersonAnswer {
  const person = entry!.people.find(({ id }) => id === decided.person)!;
  return {
    id: person.id,
    first_name: person.first_name,
    last_name: person.last_name,
    attendee_type: nameOf(manifest?.attendee_types, person.attendee_type),
    group: person.group === null ? null : nameOf(manifest?.groups, person.group),
    days: person.days.map((day) => nameOf(manifest?.days, day)),
    answers: doorAnswers(manifest, person),
    ticket: row.ticket,
    result: decided.result,
    reason: decided.reason,
    admitted: decided.admitted,
    first: firstOf(manifest, decided.first_admission),
  };
}

/** The answers of which the event says that they are shown at the door. A manifest or an entry of an earlier version has none. */
export const doorAnswers = (manifest: Manifest | null, person: KeptPerson | undefined): DoorAnswer[] =>
  (manifest?.questions ?? []).flatMap(({ code, label }) => {
    const answer = person?.answers?.[code] ?? null;
    return answer === null || answer === '' ? [] : [{ label, answer }];
  });

/** So much of a code tells it from others, and is not enough to print a ticket of another event. */
const SHOWN_OF_CODE = 12;
const codeOf = ({ row: { code } }: ScanContext, { result }: { result: string }): { code?: string } =>
  result === 'unknown' && code !== undefined
    ? { code: code.length > SHOWN_OF_CODE ? `${code.slice(0, SHOWN_OF_CODE)}…` : code }
    : {};

export function firstOf(
  manifest: Manifest | null,
  first: { at: string | number; check_in_point: string } | null,
): PersonAnswer['first'] {
  if (first === null) return null;
  const at = typeof first.at === 'number' ? first.at : Date.parse(first.at);
  return { at, point: nameOf(manifest?.check_in_points, first.check_in_point) };
}

/** Nobody could judge: the device has no roster that holds the ticket, and the server did not answer. */
export const undecidedAnswer = (context: ScanContext): ScanAnswer => ({
  ...commonFields(context),
  by: 'nobody',
  result: 'unknown',
  reason: null,
  admitted: false,
  tone: 'warning',
  people: [],
  ticket_id: null,
  checkins: [],
});

/**
 * The answer after a member has admitted somebody all the same, or has taken an admission back. `checkin` is what is on record about the
 * person now.
 */
export function withDecision(answer: ScanAnswer, person: string, admitted: boolean, checkin: string): ScanAnswer {
  const result = admitted ? SUCCESS_OF[answer.point_kind] : 'undone';
  const people = answer.people.map((one) =>
    one.id === person ? { ...one, admitted, result, reason: null, first: null } : one,
  );
  const count = people.filter((one) => one.admitted).length;
  return {
    ...answer,
    people,
    result,
    reason: null,
    admitted: count > 0,
    tone: count === 0 ? 'warning' : count === people.length ? 'success' : 'mixed',
    checkins: answer.checkins.map((one) => (one.attendee_id === person ? { ...one, id: checkin, admitted } : one)),
  };
}

/** The answers to the scans of one registration, as one answer. */
export function joinAnswers(all: readonly ScanAnswer[]): ScanAnswer {
  const [first] = all as [ScanAnswer];
  if (all.length === 1) return first;
  const people = all.flatMap((one) => one.people);
  const admitted = all.find((one) => one.admitted);
  const refused = all.find((one) => !one.admitted || one.tone === 'mixed');
  const shown = admitted ?? all.find(({ tone }) => tone === 'danger') ?? first;
  return {
    ...shown,
    client_uuid: first.client_uuid,
    parts: all.map((one) => one.client_uuid),
    by: all.every(({ by }) => by === 'server')
      ? 'server'
      : all.every(({ by }) => by === 'nobody')
        ? 'nobody'
        : 'device',
    tone: admitted !== undefined && refused !== undefined ? 'mixed' : shown.tone,
    people,
    ticket_id: null,
    checkins: all.flatMap((one) => one.checkins),
  };
}
