/** JSON with sorted fields, for comparing: PostgreSQL stores the fields of an object in another order than they were sent. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, one) => (isObject(one) ? sorted(one) : one));

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const sorted = (object: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
