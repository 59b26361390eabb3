import type { AuditEntry, AuditField } from '@turnout/client';
import { Badge, useAllWords, useFormats, useWords } from '@turnout/ui';
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
export function Entry({ of, actor, extra }: { of: AuditEntry; actor?: ReactNode; extra?: ReactNode }) {
  const t = useWords('audit');
  const formats = useFormats();
  const actionText = useActionText();
  return (
    <li className="log-entry">
      <div className="log-head">
        <span className="log-what">{actionText(of.action)}</span>
        {of.test && <Badge sign="">{t('test')}</Badge>}
        <span className="soft">
          {actor ?? of.actor.name} · {t(`source.${of.source}`)}
        </span>
        {extra}
        <time className="log-time soft small" dateTime={of.at}>
          {formats.when(of.at, { dateStyle: 'medium', timeStyle: 'medium' })}
        </time>
      </div>
      <Changes of={of} />
    </li>
  );
}

function Changes({ of: { changes } }: { of: AuditEntry }) {
  const t = useWords('audit');
  const kindText = useKindText();
  if (changes === null) return null;
  if (changes.erased) return <p className="soft small">{t('erased')}</p>;
  const details = Object.entries(changes.details);
  return (
    <>
      <Fields of={changes.fields} />
      {details.length > 0 && (
        <dl className="log-fields" data-line="">
          {details.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <Value of={value} />
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
          <Fields of={one.fields} />
        </div>
      ))}
    </>
  );
}

function Fields({ of }: { of: Readonly<Record<string, AuditField>> }) {
  const t = useWords('audit');
  const all = Object.entries(of);
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
                      <Value of={before} />
                    </del>{' '}
                    <span className="soft">→</span>{' '}
                  </>
                )}
                <ins>
                  <Value of={after} />
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
const isTexts = (of: unknown): of is string[] =>
  Array.isArray(of) && of.length > 0 && of.every((one) => typeof one === 'string');
function Value({ of }: { of: unknown }) {
  const t = useWords('audit');
  const formats = useFormats();
  if (of === null || of === undefined || of === '') return <span className="soft">{t('empty')}</span>;
  if (typeof of === 'boolean') return t(of ? 'yes' : 'no');
  if (typeof of === 'string' && INSTANT.test(of)) return <time dateTime={of}>{formats.dateTime(of)}</time>;
  const text = typeof of === 'string' ? of : isTexts(of) ? of.join(', ') : JSON.stringify(of);
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}
