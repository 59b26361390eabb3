import type { ApiKey } from '@turnout/client';

export type KeyAction = { what: 'change' | 'revoke'; key: ApiKey };

/** The beginning and the end of a secret: enough to know it again. */
export const shortSecret = ({ mode, last4 }: ApiKey): string => `svc_${mode}_…${last4}`;

/** One address or range a line; commas are understood too. Null: from anywhere. */
export const addressesOf = (text: string): string[] | null => {
  const all = text.split(/[\s,]+/).filter((one) => one !== '');
  return all.length === 0 ? null : all;
};
