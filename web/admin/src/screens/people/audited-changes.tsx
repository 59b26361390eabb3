import type { AuditEntry, AuditField } from '@turnout/client';
import { useWords } from '@turnout/ui';
import { useFieldWords } from './field-words.ts';

/** Which fields an entry of the log changed, before and after. Of personal data the log keeps only that it was changed. */
export function AuditedChanges({ of: { changes, object }, about }: { of: AuditEntry; about: string }) {
  const t = useWords('people');
  const words = useFieldWords();
  if (changes === null) return null;
  const ofPerson =
    changes.objects.find(({ id }) => id === about)?.fields ?? (object.id === about ? changes.fields : {});
  // What follows from the person's change for the registration is seen there.
  const fields = Object.keys(ofPerson).length > 0 ? ofPerson : changes.fields;
  const reason = changes.details.reason;
  const shown = Object.entries(fields).filter(([, field]) => isNews(field));
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
              <del>{text(name, before)}</del> → <ins>{text(name, after)}</ins>
            </>
          )}
        </li>
      ))}
      {typeof reason === 'string' && <li>{t('reasonIs', { reason })}</li>}
    </ul>
  );
}

const isNews = ({ before, after, changed }: AuditField): boolean =>
  changed === true || JSON.stringify(before ?? null) !== JSON.stringify(after ?? null);
