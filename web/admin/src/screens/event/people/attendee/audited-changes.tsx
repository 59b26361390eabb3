import type { AuditEntry } from '@turnout/client';
import { RightIcon, useWords } from '@turnout/ui';
import { useFieldWords } from '../field-words.ts';
import { changedFields } from './changed-fields.ts';

/** Which fields an entry of the log changed, before and after. Of personal data the log keeps only that it was changed. */
export function AuditedChanges({ entry, about }: { entry: AuditEntry; about: string }) {
  const t = useWords('people');
  const words = useFieldWords();
  if (entry.changes === null) return null;
  const reason = entry.changes.details.reason;
  const shown = changedFields(entry, about);
  if (shown.length === 0 && typeof reason !== 'string') return null;
  const text = (name: string, value: unknown) => words.text(name, value) || t('nothing');
  return (
    <ul className="timeline-changes">
      {shown.map(([name, { before, after, changed }]) => (
        <li key={name}>
          {words.label(name)}
          {changed ? (
            ` ${t('wasChanged')}`
          ) : (
            <>
              {': '}
              <del>{text(name, before)}</del> <RightIcon /> <ins>{text(name, after)}</ins>
            </>
          )}
        </li>
      ))}
      {typeof reason === 'string' && <li>{t('reasonIs', { reason })}</li>}
    </ul>
  );
}
