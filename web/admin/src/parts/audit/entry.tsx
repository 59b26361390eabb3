import type { AuditEntry, AuditField } from '@turnout/client';
import { Badge, RightIcon, useAllWords, useFormats, useWords } from '@turnout/ui';
import type { ReactNode } from 'react';
import './audit.css';

/** An action in words. One that this version does not know is shown as the server calls it. */
export function useActionText(): (action: string) => string {
  const t = useWords('audit');
  const words = useAllWords();
  return (action) => {
    const [kind = '', did = ''] = action.split('.');
    const [kindText, didText] = [words.find('audit', `kind.${kind}`), words.find('audit', `did.${did}`)];
    return kindText === null || didText === null ? action : t('what', { kind: kindText, did: didText });
  };
}

/** What an object is called: “Webhook”. */
export function useKindText(): (kind: string) => string {
  const words = useAllWords();
  return (kind) => words.find('audit', `kind.${kind}`) ?? kind;
}

/** One entry: who did what, when, and each field before and after. */
export function Entry({ entry, actor, extra }: { entry: AuditEntry; actor?: ReactNode; extra?: ReactNode }) {
  const t = useWords('audit');
  const formats = useFormats();
  const actionText = useActionText();
  return (
    <li className="log-entry">
      <div className="log-head">
        <span className="log-what">{actionText(entry.action)}</span>
        {entry.test && <Badge icon={null}>{t('test')}</Badge>}
        <span className="soft">
          {actor ?? entry.actor.name} · {t(`source.${entry.source}`)}
        </span>
        {extra}
        <time className="log-time soft small" dateTime={entry.at}>
          {formats.when(entry.at, { dateStyle: 'medium', timeStyle: 'medium' })}
        </time>
      </div>
      <Changes entry={entry} />
    </li>
  );
}

function Changes({ entry: { changes } }: { entry: AuditEntry }) {
  const t = useWords('audit');
  const kindText = useKindText();
  if (changes === null) return null;
  if (changes.erased) return <p className="soft small">{t('erased')}</p>;
  const details = Object.entries(changes.details);
  return (
    <>
      <Fields auditFields={changes.fields} />
      {details.length > 0 && (
        <dl className="log-fields" data-line="">
          {details.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <AuditValue value={value} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {changes.objects.map((one) => (
        <div key={`${one.kind} ${one.id}`} className="log-other">
          <span className="soft small">
            {kindText(one.kind)} <code>{one.id}</code>
          </span>
          <Fields auditFields={one.fields} />
        </div>
      ))}
    </>
  );
}

function Fields({ auditFields }: { auditFields: Readonly<Record<string, AuditField>> }) {
  const t = useWords('audit');
  const all = Object.entries(auditFields);
  const isNew = all.every(([, { before, changed }]) => !changed && (before === null || before === undefined));
  // Of something new, what is empty says nothing, and the id stands above.
  const fields = isNew ? all.filter(([name, { after }]) => name !== 'id' && after !== null && after !== '') : all;
  if (fields.length === 0) return null;
  return (
    <dl className="log-fields" data-line={isNew || undefined}>
      {fields.map(([name, { before, after, changed }]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {changed ? (
              <span className="soft">{t('personal')}</span>
            ) : (
              <>
                {before !== null && before !== undefined && (
                  <>
                    <del>
                      <AuditValue value={before} />
                    </del>{' '}
                    <span className="soft">
                      <RightIcon />
                    </span>{' '}
                  </>
                )}
                <ins>
                  <AuditValue value={after} />
                </ins>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const MAX_TEXT_LENGTH = 300;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
function AuditValue({ value }: { value: unknown }) {
  const t = useWords('audit');
  const formats = useFormats();
  if (value === null || value === undefined || value === '') return <span className="soft">{t('empty')}</span>;
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  if (typeof value === 'string' && INSTANT.test(value)) return <time dateTime={value}>{formats.dateTime(value)}</time>;
  const text = typeof value === 'string' ? value : isTexts(value) ? value.join(', ') : JSON.stringify(value);
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}
