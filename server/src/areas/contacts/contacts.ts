import type { Contact, ContactChange } from '@turnout/contract';
import { toUlid } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import type { Work } from '../../road/operation.ts';
import { byChange, byKey, changedSince, type Paging } from '../../road/read/page.ts';
import { withRemoved } from '../../road/read/removed.ts';
import { diff } from '../../road/write/diff.ts';
import { stampOrganization } from '../../store/clocks.ts';
import { updateRow } from '../../store/rows.ts';
import { filters, join, name, type Sql, sql } from '../../store/sql.ts';
import { keysOf, present } from './match.ts';
import { aContact, type ContactRow, contactShape, selectContacts, visibleContacts } from './queries.ts';
import { readByKey, readSearch } from './search.ts';
import { candidates, pageInOrder } from './search-orders.ts';
import { type FoundRow, isFound, type SearchedTable } from './searched.ts';
import { writeContactWords } from './words.ts';

export interface ContactQuery extends Paging {
  search?: string;
}

/** Lists contacts by last change or by name. With `search` they are ordered by what matched, unless the caller asks for another order. */
export async function listContacts(work: Work, query: ContactQuery) {
  const { tx, org } = work;
  const table: SearchedTable = {
    org,
    table: 'contacts',
    words: 'contact_words',
    owner: 'contact_id',
    within: (alias) => sql`${name(`${alias}.org_id`)} = ${org}`,
    seen: (alias) => visibleContacts(work, alias),
    chosen: filters([query.updated_since !== undefined && changedSince(query, 'a')]),
    columns: sql``,
  };
  const search = query.search === undefined ? null : await readSearch(tx, table, query.search);
  const listed = search === null ? ['contacts'] : ['contacts', query.search];
  if (query.order === 'name' || (search !== null && query.order === undefined)) {
    const list = byKey(listed, query);
    const found = await readByKey<FoundRow>(tx, table, search, query.order, list);
    return list.page(await loadInFoundOrder(work, found), contactShape);
  }
  const list = byChange(listed, query, 'c');
  if (search === null) {
    const rows = await tx.all<ContactRow>(selectContacts(work, list.where, list.order));
    return list.page(await withRemoved(work, list, { list: 'contacts' }, rows), contactShape);
  }
  const found = candidates(table, search);
  const select = (ids: Sql) =>
    selectContacts(work, sql`c.id = any(array(${ids})) and ${isFound(search, 'c')} and ${list.where}`, list.order);
  const rows = await pageInOrder<ContactRow>(tx, found, list.read, {
    walk: (most) =>
      select(sql`
        select c.id from (select c.* from contacts c where c.org_id = ${org} and ${list.where} ${list.first(most)}) c
        where ${table.seen('c')} and ${isFound(search, 'c')} ${list.order}`),
    sort: () => select(join(found, ' union ')),
  });
  return list.page(rows, contactShape);
}

/** Loads the contacts that were found, in the order in which they were found. */
async function loadInFoundOrder(work: Work, found: readonly FoundRow[]): Promise<ContactRow[]> {
  const ids = found.map((one) => one.id);
  const rows = await work.tx.all<ContactRow>(selectContacts(work, sql`c.id = any(${ids})`, sql``));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return found.map(({ id, key }) => ({ ...byId.get(id)!, key }));
}

/** The fields that are stored in the address book. */
export type ContactFields = Omit<ContactChange, 'apply_to_registrations'>;

export async function changeContact(work: Work, found: ContactRow, body: ContactFields): Promise<Contact> {
  const { tx, org } = work;
  requireOwn(work, found);
  const stamp = await stampOrganization(tx, org);
  const before = (await aContact.find(work, toUlid(found.id), {})) ?? refuse('not_found');
  requireOwn(work, before); // another call may have erased it while this one waited for the clock
  const sent = withoutBlanks(body);
  const after = { ...before, ...sent } as ContactRow;
  const keys = keysOf(after);
  await updateRow(tx, 'contacts', sql`org_id = ${org} and id = ${found.id}`, {
    ...sent,
    ...keys,
    updated_at: stamp,
  });
  await writeContactWords(tx, org, found.id, keysOf(before), keys);
  const shape = contactShape((await aContact.find(work, toUlid(found.id), {}))!);
  const was = contactShape(before);
  work.changed({ kind: 'contact', id: found.id, group: found.group_id, changes: diff(was, shape), was });
  return shape;
}

/** The fields that were sent, with blank texts as null. */
const withoutBlanks = (sent: ContactFields): ContactFields =>
  Object.fromEntries(Object.entries(sent).map(([field, text]) => [field, present(text)]));

/** Refuses changes of live contacts by test keys, and changes of erased contacts. */
export function requireOwn(work: Work, contact: ContactRow): void {
  if (work.mode === 'test' && !contact.test) refuse('test_key_live_object');
  if (contact.erased_at !== null)
    refuse('invalid_state', { message: 'The contact was erased, and that cannot be undone.' });
}
