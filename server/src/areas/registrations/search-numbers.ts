import type { Id } from '../../common/ids.ts';
import { join, type Sql, sql, unprepared } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { begins, externalKey, phoneKey, type SearchedTable } from '../contacts/index.ts';

/*
 * Finding attendees by a number that somebody types or reads aloud: the organizer's own ID, or a phone number or its beginning. As with
 * a code, whoever has it is all that is meant, so names are not searched.
 */

/** Fewer digits are taken for a part of a name. */
const MIN_DIGITS = 5;
/** A beginning that more people share says too little: then only the whole number counts. */
export const numberBounds = { sharing: 1000 };

const PHONE = /^[+(\d][\d\s()./-]*$/;

/** The attendees of the table whose ID or phone number the text is. Null if there are none: then it is searched as a name. */
export async function attendeesNumbered(tx: Tx, table: SearchedTable, text: string): Promise<Id[] | null> {
  if (!/\d/.test(text) || text.includes('@')) return null;
  const external = externalKey(text);
  const phone = PHONE.test(text.trim()) ? phoneKey(text) : null;
  const called = (condition: Sql) => sql`(select x.id from attendees x
    where ${table.within('x')} and ${table.seen('x')} and ${condition} limit ${numberBounds.sharing + 1})`;
  const find = async (conditions: Sql[]): Promise<Id[]> => {
    const rows = await tx.all<{ id: Id }>(unprepared(join(conditions.map(called), ' union ')));
    return rows.map((row) => row.id);
  };
  const exact = [
    ...(external === null ? [] : [sql`x.external_key = ${external}`]),
    ...(phone === null ? [] : [sql`x.phone_key = ${phone}`]),
  ];
  if (phone !== null && phone.length >= MIN_DIGITS) {
    const found = await find([...exact, begins(sql`x.phone_key`, phone)]);
    if (found.length <= numberBounds.sharing) return found.length === 0 ? null : found;
  }
  const found = exact.length === 0 ? [] : await find(exact);
  return found.length === 0 ? null : found;
}
