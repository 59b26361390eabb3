import type { Id } from '../../common/ids.ts';
import { countMails } from '../../road/for-areas/mail-counts.ts';
import type { Tx } from '../../store/tx.ts';

/** How many test mails an organization may send per hour: enough to try a message on colleagues, too few for sending spam. */
export const TEST_MAILS = 30;

export const countTestMails = (tx: Tx, org: Id, mails: number): Promise<void> =>
  countMails(tx, org, { what: 'test', most: TEST_MAILS, mails: 'test mails' }, mails);
