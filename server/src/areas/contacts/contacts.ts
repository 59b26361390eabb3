import { type Contact, type ContactChange, PAGE_DEFAULT } from '@turnout/contract';
import { diff } from '../../road/diff.ts';
import type { Work } from '../../road/operation.ts';
import { byChange, byKey, type Paging } from '../../road/page.ts';
import { refuse } from '../../road/refusal.ts';
import { stampOrganization } from '../../store/clocks.ts';
import { toUlid } from '../../store/ids.ts';
import { updateRow } from '../../store/rows.ts';
import { type Sql, sql } from '../../store/sql.ts';
import { keysOf, normalise, present } from './match.ts';
import { aContact, type ContactRow, contactShape, selectContacts } from './queries.ts';

export interface ContactQuery extends Paging {
  search?: string;
}

/** By last change; with `search`, by the beginning of a name (either way round) or e-mail address. */
export async function listContacts(work: Work, query: ContactQuery) {
  const key = normalise(query.search ?? '');
  if (key === '') {
    const list = byChange(['contacts'], query, 'c');
    return list.page(await work.tx.all<ContactRow>(selectContacts(work, list.where, list.order)), contactShape);
  }
  const list = byKey(['contacts', query.search], query);
  const limit = (query.limit ?? PAGE_DEFAULT) + 1;
  const range = (column: Sql): Sql =>
    sql`(${selectContacts(
      work,
      sql`${column} >= ${key} and ${column} < ${`${key}\u{10ffff}`}
        and ${list.after === null ? sql`true` : sql`(${column}, c.id) > (${list.after[0]}, ${list.after[1]}::uuid)`}`,
      sql`order by ${column}, c.id limit ${limit}`,
      column,
    )})`;
  const rows = key.includes('@')
    ? await work.tx.all<ContactRow>(range(sql`c.email_key`))
    : await work.tx.all<ContactRow>(sql`
        select * from (${range(sql`c.name_key`)} union all ${range(sql`c.given_key`)} union all ${range(sql`c.email_key`)}) found
        order by key, id limit ${limit}`);
  const seen = new Set<string>();
  return list.page(
    rows.filter((row) => !seen.has(row.id) && seen.add(row.id)),
    contactShape,
  );
}

/** What is of the address book alone. */
export type ContactFields = Omit<ContactChange, 'apply_to_registrations'>;

export async function changeContact(work: Work, found: ContactRow, body: ContactFields): Promise<Contact> {
  const { tx, org } = work;
  requireOwn(work, found);
  const stamp = await stampOrganization(tx, org);
  const before = (await aContact.find(work, toUlid(found.id), {})) ?? refuse('not_found');
  requireOwn(work, before); // whoever erased it meanwhile had the clock first
  const said = withoutBlanks(body);
  const after = { ...before, ...said } as ContactRow;
  await updateRow(tx, 'contacts', sql`org_id = ${org} and id = ${found.id}`, {
    ...said,
    ...keysOf(after),
    updated_at: stamp,
  });
  const shape = contactShape((await aContact.find(work, toUlid(found.id), {}))!);
  const was = contactShape(before);
  work.changed({ kind: 'contact', id: found.id, group: found.group_id, changes: diff(was, shape), was });
  return shape;
}

/** Blank is absent; what is not sent stays. */
const withoutBlanks = ({ date_of_birth, ...texts }: ContactFields): ContactFields => ({
  ...Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, present(text)])),
  ...(date_of_birth !== undefined && { date_of_birth }),
});

/** A test key changes test contacts only; an erased one is nobody any more. */
export function requireOwn(work: Work, contact: ContactRow): void {
  if (work.mode === 'test' && !contact.test) refuse('test_key_live_object');
  if (contact.erased_at !== null)
    refuse('invalid_state', { message: 'The contact was erased; that cannot be undone.' });
}
