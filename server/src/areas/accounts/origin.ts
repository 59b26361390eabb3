import type { AccountLanguage } from '@turnout/contract';

/** Where a request comes from. */
export interface RequestOrigin {
  id: string;
  /** The network address, as the edge or a trusted proxy reports it. */
  address: string;
  userAgent: string | undefined;
  /** The first of our languages that the browser asks for. */
  language: AccountLanguage;
}
