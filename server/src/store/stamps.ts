/** `updated_at` and `as_of` always have six decimals, so that clients can compare them as text. */
export const sixDecimals = (timestamp: string): string => {
  const [whole, fraction = ''] = timestamp.slice(0, -1).split('.') as [string, string?];
  return `${whole}.${fraction.padEnd(6, '0')}Z`;
};

export const stamps = (row: { created_at: string; updated_at: string }) => ({
  created_at: row.created_at,
  updated_at: sixDecimals(row.updated_at),
});

/** An instant as the API writes it: without a fraction if that is zero. */
export const iso = (at: Date): string => at.toISOString().replace('.000Z', 'Z');
