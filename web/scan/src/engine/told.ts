import { type Decision, messageFor, type PointKind, SUCCESS_OF } from '@turnout/checkin';
import type { Manifest, ScanResponse } from '@turnout/client';
import type { KeptEntry } from '../roster/entry.ts';
import type { QueueRow } from '../store/rows.ts';
import type { Told, ToldPerson } from './types.ts';

/** How the answer to a scan is told, with the names of things instead of their codes. */

type Things = readonly { readonly id?: string; readonly code: string; readonly name?: string }[];

/** Things are named by their code or their id. */
export function nameOf(things: Things | undefined, reference: string): string {
  const same = ({ id, code }: Things[number]) => id === reference || code.toLowerCase() === reference.toLowerCase();
  return things?.find(same)?.name ?? reference;
}

interface Asked {
  readonly row: QueueRow;
  readonly manifest: Manifest | null;
  readonly entry: KeptEntry | null;
}

const pointKind = ({ row, manifest }: Asked): PointKind =>
  manifest?.check_in_points.find(({ code }) => code === row.point)?.kind ?? 'entry';

const shared = (asked: Asked) => ({
  client_uuid: asked.row.client_uuid,
  point: asked.row.point,
  point_kind: pointKind(asked),
  test: asked.row.test || asked.manifest?.event.test === true,
  scanned_at: asked.row.scanned_at,
});

export function toldByServer(asked: Asked, answer: ScanResponse): Told {
  const { manifest, entry } = asked;
  const daysOf = (person: string): readonly string[] =>
    entry?.people.find(({ id }) => id === person)?.days ?? answer.ticket?.days ?? [];
  return {
    ...shared(asked),
    by: 'server',
    result: answer.result,
    reason: answer.reason,
    admitted: answer.admitted,
    tone: answer.message.tone,
    people: answer.people.map((person) => ({
      id: person.id,
      first_name: person.first_name,
      last_name: person.last_name,
      attendee_type: nameOf(manifest?.attendee_types, person.attendee_type),
      group: person.group === null ? null : nameOf(manifest?.groups, person.group),
      days: daysOf(person.id).map((day) => nameOf(manifest?.days, day)),
      result: person.result,
      reason: person.reason,
      admitted: person.admitted,
      first: firstOf(manifest, person.first_admission ?? null),
    })),
    ticket_id: answer.ticket?.id ?? null,
    test: answer.test,
    checkins: checkInsOf(answer),
  };
}

export const checkInsOf = ({ checkins }: ScanResponse): Told['checkins'] =>
  checkins.map(({ id, attendee_id, admitted }) => ({ id, attendee_id, admitted }));

export function toldByDevice(asked: Asked, decision: Decision): Told {
  const { entry } = asked;
  return {
    ...shared(asked),
    by: 'device',
    result: decision.result,
    reason: decision.reason,
    admitted: decision.admitted,
    tone: messageFor(decision).tone,
    people: decision.people.map((one) => personDecided(asked, one)),
    ticket_id: entry?.ticket_id ?? null,
    checkins: [],
  };
}

function personDecided({ manifest, entry }: Asked, decided: Decision['people'][number]): ToldPerson {
  const person = entry!.people.find(({ id }) => id === decided.person)!;
  return {
    id: person.id,
    first_name: person.first_name,
    last_name: person.last_name,
    attendee_type: nameOf(manifest?.attendee_types, person.attendee_type),
    group: person.group === null ? null : nameOf(manifest?.groups, person.group),
    days: person.days.map((day) => nameOf(manifest?.days, day)),
    result: decided.result,
    reason: decided.reason,
    admitted: decided.admitted,
    first: firstOf(manifest, decided.first_admission),
  };
}

export function firstOf(
  manifest: Manifest | null,
  first: { at: string | number; check_in_point: string } | null,
): ToldPerson['first'] {
  if (first === null) return null;
  const at = typeof first.at === 'number' ? first.at : Date.parse(first.at);
  return { at, point: nameOf(manifest?.check_in_points, first.check_in_point) };
}

/** Nobody could judge: the device has no roster that holds the ticket, and the server did not answer. */
export const toldByNobody = (asked: Asked): Told => ({
  ...shared(asked),
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
export function withDecision(told: Told, person: string, admitted: boolean, checkin: string): Told {
  const result = admitted ? SUCCESS_OF[told.point_kind] : 'undone';
  const people = told.people.map((one) =>
    one.id === person ? { ...one, admitted, result, reason: null, first: null } : one,
  );
  const count = people.filter((one) => one.admitted).length;
  return {
    ...told,
    people,
    result,
    reason: null,
    admitted: count > 0,
    tone: count === 0 ? 'warning' : count === people.length ? 'success' : 'mixed',
    checkins: told.checkins.map((one) => (one.attendee_id === person ? { ...one, id: checkin, admitted } : one)),
  };
}

/** The answers to the scans of one registration, as one answer. */
export function joined(all: readonly Told[]): Told {
  const [first] = all as [Told];
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
