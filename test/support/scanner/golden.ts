import { createHash } from 'node:crypto';
import type { CaseFile, GoldenCase } from '@turnout/checkin';

/**
 * The golden cases as a manifest and a roster: all cases in one event, as the README of packages/checkin says it is possible. People
 * and tickets of different cases get different names.
 */
export const codeOf = (one: number, ref: string): string => `CASE${one}X${Buffer.from(ref).toString('hex')}`;
export const personOf = (one: number, ref: string): string => `${one}:${ref}`;

export function manifestOf({ world }: CaseFile, rosterUrl: string, count: number): Record<string, unknown> {
  const named = <T extends { code: string }>(things: readonly T[]) =>
    things.map((thing) => ({ name: thing.code, ...thing }));
  return {
    event: { id: 'EVENT', code: 'cases', name: 'Cases', status: 'published', test: false, timezone: world.timezone },
    days: named(world.days),
    attendee_types: named(world.attendee_types),
    groups: named(world.groups),
    check_in_points: named(world.check_in_points),
    roster: { url: rosterUrl, expires_at: '2030-01-01T00:00:00Z', count, as_of: '2027-01-01T00:00:00.000000Z' },
    min_sw_version: '1.0.0',
    server_time: '2027-06-12T10:00:00Z',
  };
}

/** Live and test rosters are the same here: the cases try a test ticket at a live gate, which a live roster does not hold. */
export function rosterOf({ cases }: CaseFile): { as_of: string; data: unknown[] } {
  const data = cases.flatMap((one, i) =>
    one.tickets.map((ticket) => ({
      code_sha256: createHash('sha256').update(codeOf(i, ticket.ref).toUpperCase()).digest('hex'),
      ticket_id: `${i}:${ticket.ref}`,
      status: ticket.status ?? 'valid',
      test: ticket.test ?? false,
      people: ticket.people.map((person) => ({
        id: personOf(i, person.ref),
        first_name: person.ref,
        last_name: `Case${i}`,
        attendee_type: person.attendee_type,
        group: person.group ?? null,
        confirmed: (person.status ?? 'confirmed') === 'confirmed',
        days: person.days,
        admissions: [],
      })),
    })),
  );
  return { as_of: '2027-01-01T00:00:00.000000Z', data };
}

/** What is scanned, in the form that the page takes. */
export interface GoldenScan {
  readonly code: string;
  readonly point: string;
  readonly at: number;
  readonly test: boolean;
  readonly people: readonly string[] | null;
}

export function scansOf(one: GoldenCase, i: number): GoldenScan[] {
  return one.scans.map((scan) => {
    const ticket = one.tickets.find(({ ref }) => ref === scan.ticket);
    const present = scan.people_present ?? ticket?.people.map(({ ref }) => ref) ?? null;
    return {
      code: scan.code ?? codeOf(i, scan.ticket!),
      point: scan.check_in_point,
      at: Date.parse(scan.at),
      test: scan.test ?? false,
      people: present?.map((ref) => personOf(i, ref)) ?? null,
    };
  });
}
