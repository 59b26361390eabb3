import type { Manifest } from '@turnout/client';
import type { FoundPerson } from '../roster/book.ts';
import { doorAnswers, firstOf, nameOf } from './scan-answers.ts';
import type { SearchResult } from './types.ts';

/** Somebody who was found, with the names of things, and with what tells them apart from others of the same name. */
export function foundIn(manifest: Manifest | null, { key, entry, person, inside }: FoundPerson): SearchResult {
  const days = manifest?.days ?? [];
  return {
    key,
    ticket_id: entry.ticket_id,
    person: person.id,
    first_name: person.first_name,
    last_name: person.last_name,
    attendee_type: nameOf(manifest?.attendee_types, person.attendee_type),
    group: person.group === null ? null : nameOf(manifest?.groups, person.group),
    status: entry.status,
    confirmed: person.confirmed,
    registration: entry.registration ?? null,
    days: person.days.length >= days.length ? [] : person.days.map((day) => nameOf(days, day)),
    answers: doorAnswers(manifest, person),
    inside: firstOf(manifest, inside),
  };
}
