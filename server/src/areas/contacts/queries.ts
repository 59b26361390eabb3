import { type Contact, fieldsOf, pickFields } from '@turnout/contract';
import { type Id, parseRef, toUlid } from '../../common/ids.ts';
import { type Reach, reference } from '../../road/request/reference.ts';
import { columns, every, name, type Sql, sql } from '../../store/sql.ts';
import { stamps } from '../../store/stamps.ts';
import { inReach } from '../groups/index.ts';

/** What people type about a contact, by the table of a person's fields. */
export const CONTACT_TEXTS = fieldsOf('contact', { typed: true });
export type ContactTexts = Pick<Contact, (typeof CONTACT_TEXTS)[number]>;

export interface ContactRow extends ContactTexts {
  id: Id;
  test: boolean;
  group_id: Id | null;
  group_code: string | null;
  erased_at: string | null;
  created_at: string;
  updated_at: string;
  key: string;
}

export const contactShape = (row: ContactRow): Contact => ({
  id: toUlid(row.id),
  ...pickFields(CONTACT_TEXTS, row),
  group: row.group_code,
  test: row.test,
  erased_at: row.erased_at,
  ...stamps(row),
});

/** A condition on contacts: whether the caller sees them. */
export const visibleContacts = ({ caller, mode }: Pick<Reach, 'caller' | 'mode'>, alias = 'c'): Sql =>
  every([
    mode === 'live' && sql`not ${name(`${alias}.test`)}`,
    caller.group !== null && inReach(caller, name(`${alias}.group_id`)),
  ]);

/** Selects contacts that the caller sees. `key` is the sort key of lists that are ordered by what matched. */
export const selectContacts = (reach: Reach, where: Sql, order: Sql, key: Sql = sql`''`): Sql => sql`
  select c.id, c.test, c.group_id, g.code as group_code, ${columns(CONTACT_TEXTS, 'c')},
    c.erased_at, c.created_at, c.updated_at, ${key} as key
  from contacts c left join groups g on g.org_id = c.org_id and g.id = c.group_id
  where c.org_id = ${reach.org} and ${visibleContacts(reach)} and ${where} ${order}`;

export const aContact = reference<ContactRow>({
  kind: 'contact',
  byCode: false,
  find: async (reach, ref) => {
    const { id } = parseRef(ref);
    return id === null ? null : reach.tx.maybe<ContactRow>(selectContacts(reach, sql`c.id = ${id}`, sql``));
  },
});
