import { countMails } from '../../road/mail-counts.ts';
import type { Id } from '../../store/ids.ts';
import type { Tx } from '../../store/tx.ts';

/** Test mails of an organization in an hour: enough to try a message out on colleagues, too few to write to strangers with. */
export const TEST_MAILS = 30;

export const countTestMails = (tx: Tx, org: Id, mails: number): Promise<void> =>
  countMails(tx, org, { what: 'test', most: TEST_MAILS, mails: 'test mails' }, mails);
