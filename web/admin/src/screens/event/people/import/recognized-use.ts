import type { ImportColumn } from '@turnout/client';
import type { Use } from './draft.ts';

/** What a column was recognized as, as it would be set by hand; null until it was looked at. */
export function recognizedUse(found: Pick<ImportColumn, 'became' | 'field'> | undefined): Use | null {
  if (found === undefined) return null;
  if (found.became === 'field') return found.field as Use;
  if (found.became === 'question') return `answers.${found.field}` as Use;
  return found.became === 'ignored' ? 'ignore' : 'answer';
}
