import { type Id, parseRef } from '../../common/ids.ts';

const codes = new WeakMap<object, Map<string, unknown>>();

/**
 * Finds a row by id or code. The codes are indexed once per map: a registration may name every day for each of its attendees,
 * and searching all days each time took seconds.
 */
export function findByRef<Row extends { id: Id; code: string }>(rows: ReadonlyMap<Id, Row>, ref: string): Row | null {
  const { id, code } = parseRef(ref);
  if (id !== null) return rows.get(id) ?? null;
  let byCode = codes.get(rows) as Map<string, Row> | undefined;
  if (byCode === undefined) {
    byCode = new Map([...rows.values()].map((row) => [row.code.toLowerCase(), row]));
    codes.set(rows, byCode);
  }
  return byCode.get(code.toLowerCase()) ?? null;
}
