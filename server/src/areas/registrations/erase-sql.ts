import { type Sql, sql } from '../../store/sql.ts';

/** Whether one of these texts occurs in the column. */
export const contains = (column: Sql, texts: readonly string[]): Sql =>
  sql`exists (select from unnest(${texts}::text[]) as sought(text) where position(sought.text in ${column}) > 0)`;

/** The same for a column of bytes. */
export const bytesContain = (column: Sql, texts: readonly string[]): Sql =>
  sql`exists (select from unnest(${texts}::text[]) as sought(text) where position(convert_to(sought.text, 'UTF8') in ${column}) > 0)`;
