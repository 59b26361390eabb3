import type { Mode, RegistrationStatus } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { insertAll } from '../../store/bulk.ts';
import { columns, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { attendeeInReach, inSubtree } from '../groups/index.ts';
import { ATTENDEE_TEXTS, type AttendeeDetails, holdsPlaces, NO_LINES } from '../registrations/index.ts';
import type { KnownAttendee } from './import-attendees.ts';
import type { NamedRow } from './import-decide.ts';
import { type ImportRow, keysFor, ownIdOf } from './import-row.ts';

/** Which attendees an import may match. */
export interface ImportScope {
  org: Id;
  event: Id;
  /** Only attendees of this group and the groups below it; null: all. */
  group: Id | null;
  mode: Mode;
  /** How many attendees per event the plan allows; null: any number. */
  cap: number | null;
}

type KnownRow = AttendeeDetails & { id: Id; registration_id: Id; status: RegistrationStatus };

function soughtIn(rows: readonly ImportRow[]) {
  const all = <T>(pick: (row: ImportRow) => T | null): T[] => [
    ...new Set(rows.map(pick).filter((key): key is T & {} => key !== null)),
  ];
  return {
    own: all(ownIdOf),
    external: all((row) => row.keys.external),
    emails: all((row) => row.keys.email),
    phones: all((row) => row.keys.phone),
    names: all((row) => (row.keys.email === null && row.keys.phone === null ? null : row.keys.name)),
  };
}

/** Every attendee of the event that one of these rows may match, in one statement. */
export async function knownBy(
  tx: Tx,
  scope: ImportScope,
  rows: readonly ImportRow[],
  preview: Id | null,
): Promise<KnownAttendee[]> {
  const references = soughtIn(rows);
  const { org, event } = scope;
  const ofEvent = sql`a.org_id = ${org} and a.event_id = ${event}`;
  const named = sql`a.name_key = any(${references.names})`;
  const found = await tx.all<KnownRow>(sql`
    select p.id, p.registration_id, p.status, p.attendee_type_id, p.group_id, p.day_ids,
      ${columns(ATTENDEE_TEXTS, 'p')}, p.answers, p.price_minor, p.price_name, p.discount_minor, p.discount_id, p.products
    from attendees p
    where p.org_id = ${org} and p.event_id = ${event} and p.test = ${scope.mode === 'test'}
      and p.status not in ('cancelled', 'declined', 'expired') and ${attendeeInReach(scope, 'p')}
      and p.id in (
        select o.id from attendees o left join contacts c on c.org_id = o.org_id and c.id = o.contact_id
          where o.org_id = ${org} and o.id = any(${references.own}::uuid[]) and c.erased_at is null
        union select a.id from attendees a where ${ofEvent} and a.external_key = any(${references.external})
        union select a.id from attendees a where ${ofEvent} and a.email_key = any(${references.emails}) and ${named}
        union select a.id from attendees a where ${ofEvent} and a.phone_key = any(${references.phones}) and ${named})
    order by p.id`);
  const known = new Map(
    found.map(({ status, ...row }): [Id, KnownAttendee] => [row.id, { ...row, placed: holdsPlaces({ status }) }]),
  );
  if (preview !== null) {
    const seen = await tx.all<{ person: KnownAttendee }>(sql`
      select person from import_previews where org_id = ${org} and job_id = ${preview}
        and (id = any(${[...known.keys(), ...references.own]}) or external_key = any(${references.external}) or name_key = any(${references.names}))`);
    // A preview that the build before began has nobody with products.
    const none = { discount_minor: 0, discount_id: null, products: NO_LINES };
    for (const { person } of seen) known.set(person.id, { ...none, ...person });
  }
  return [...known.values()];
}

/** Which of the rows' IDs are Turnout's own ids of attendees, in any event, as far as the importing caller may see them. */
export async function ownIdsAmong(tx: Tx, scope: ImportScope, rows: readonly ImportRow[]): Promise<Set<Id>> {
  const references = [...new Set(rows.map(ownIdOf).filter((id) => id !== null))];
  if (references.length === 0) return new Set();
  const found = await tx.all<{ id: Id }>(sql`
    select p.id from attendees p
    where p.org_id = ${scope.org} and p.id = any(${references}::uuid[]) and (${scope.mode === 'test'} or not p.test)
      and ${attendeeInReach(scope, 'p')}`);
  return new Set(found.map(({ id }) => id));
}

/** Whether somebody waits for a lock that this transaction holds. */
export async function isWaitedFor(tx: Tx): Promise<boolean> {
  const waiting = await tx.maybe(sql`
    select from pg_locks where not granted and locktype = 'transactionid' and transactionid = pg_current_xact_id()::xid limit 1`);
  return waiting !== null;
}

/** The event's clock: when its registrations last changed; null if the event was deleted. */
export const lastChange = async (tx: Tx, { org, event }: Pick<ImportScope, 'org' | 'event'>): Promise<string | null> =>
  (await tx.maybe<{ at: string }>(sql`select at from event_clocks where org_id = ${org} and event_id = ${event}`))
    ?.at ?? null;

/** The groups that a row may name. */
export const groupsIn = (tx: Tx, scope: ImportScope): Promise<NamedRow[]> =>
  tx.all<NamedRow>(sql`
    select h.id, h.code, h.name from groups h where h.org_id = ${scope.org} and ${inSubtree(scope, sql`h.id`)} order by h.id`);

/** Stores the attendees as the preview left them, so that its later steps find them. */
export function keepPreview(tx: Tx, org: Id, job: Id, attendees: readonly KnownAttendee[]): void {
  if (attendees.length === 0) return;
  const rows = attendees.map((person) => {
    const { name, external } = keysFor(person);
    return { org_id: org, job_id: job, id: person.id, name_key: name, external_key: external, person };
  });
  tx.send(sql`
    insert into import_previews (org_id, job_id, id, name_key, external_key, person)
    select org_id, job_id, id, name_key, external_key, person from json_to_recordset(${JSON.stringify(rows)}::json)
      as r(org_id uuid, job_id uuid, id uuid, name_key text, external_key text, person jsonb)
    on conflict (org_id, job_id, id) do update set name_key = excluded.name_key, external_key = excluded.external_key,
      person = excluded.person`);
}

export interface RejectRow {
  number: number;
  code: string;
  words: string;
}

export function keepRejects(tx: Tx, org: Id, job: Id, rejects: readonly RejectRow[]): void {
  insertAll(
    tx,
    'import_rejects',
    { org_id: 'uuid', job_id: 'uuid', number: 'int', code: 'text', words: 'text' },
    rejects.map((one) => ({ org_id: org, job_id: job, ...one })),
  );
}

/** The rejects among a range of the file's rows. */
export const rejectsBetween = (tx: Tx, org: Id, job: Id, first: number, last: number): Promise<RejectRow[]> =>
  tx.all<RejectRow>(sql`
    select number, code, words from import_rejects
    where org_id = ${org} and job_id = ${job} and number between ${first} and ${last}`);

/** Deletes what finished imports have left behind: by then the file of rejects is written. */
export async function acrossOrganizationsSweep(tx: Tx): Promise<void> {
  const over = sql`not exists (
    select from jobs j where j.org_id = i.org_id and j.id = i.job_id and j.status in ('queued', 'running'))`;
  await tx.run(sql`delete from import_rejects i where ${over}`);
  await tx.run(sql`delete from import_previews i where ${over}`);
}
