/** `updated_at` and `as_of` carry six decimals, so that they compare as text. */
export const sixDecimals = (timestamp: string): string => {
  const [whole, fraction = ''] = timestamp.slice(0, -1).split('.') as [string, string?];
  return `${whole}.${fraction.padEnd(6, '0')}Z`;
};

export const stamps = (row: { created_at: string; updated_at: string }) => ({
  created_at: row.created_at,
  updated_at: sixDecimals(row.updated_at),
});

/** An instant as the API writes it: no fraction where there is none. */
export const iso = (at: Date): string => at.toISOString().replace('.000Z', 'Z');
