import { Button, Checkbox, Radios, TextArea, useFormats, useWords } from '@turnout/ui';
import { type DragEvent, useId, useRef, useState } from 'react';
import { useEvent } from '../../../../frame/event.tsx';
import { writeCsv } from '../../../../parts/csv.ts';
import { changeDraft, type DateOrder, type Draft, draftFrom, setDraft } from './draft.ts';
import { WholeProblem } from './problem.tsx';
import { useImport } from './use-import.ts';

const ORDERS = ['dmy', 'mdy', 'ymd'] as const satisfies readonly DateOrder[];

/** The first step: a file, dropped, chosen or pasted. */
export function ChooseFile({ draft, go }: { draft: Draft | null; go: (step: 'columns') => void }) {
  const t = useWords('import');
  const formats = useFormats();
  const { event } = useEvent();
  const { check } = useImport();
  const [pasting, setPasting] = useState(false);
  const [text, setText] = useState('');
  const read = async (file: Blob, name: string) => {
    const next = await draftFrom(file, name);
    // Somebody who corrects the file and chooses it again does not say twice what its columns are.
    const same = draft !== null && JSON.stringify(draft.sheet?.head) === JSON.stringify(next.sheet?.head);
    const kept = same ? { mapping: draft.mapping, dateOrder: draft.dateOrder, emails: draft.emails } : {};
    const made = { ...next, ...kept };
    setDraft(event.id, made);
    if ((await check.run(made)) !== undefined) go('columns');
  };
  const goOn = async () => {
    if (draft === null) return;
    if (draft.preview !== null || (await check.run(draft)) !== undefined) go('columns');
  };
  return (
    <div className="import-file">
      <div className="stack">
        <DropZone onFile={(file) => void read(file, file.name)} busy={check.busy} />
        {pasting ? (
          <div className="stack" data-gap="small">
            <TextArea
              label={t('pasteLabel')}
              hint={t('pasteHint')}
              rows={8}
              value={text}
              onChange={setText}
              spellCheck={false}
              autoFocus
            />
            <div className="buttons">
              <Button
                kind="main"
                busy={check.busy}
                disabled={text.trim() === ''}
                onClick={() => void read(new Blob([text], { type: 'text/csv' }), t('pasted'))}
              >
                {t('pasteUse')}
              </Button>
            </div>
          </div>
        ) : (
          <div className="buttons">
            <Button kind="link" onClick={() => setPasting(true)}>
              {t('paste')}
            </Button>
          </div>
        )}
        <WholeProblem problem={check.problem} />
        {draft !== null && (
          <section className="card" aria-label={t('chosen')}>
            <div className="row" data-apart="">
              <span>
                <strong>
                  <bdi>{draft.name}</bdi>
                </strong>{' '}
                <span className="soft small">
                  {formats.number(Math.max(1, Math.round(draft.file.size / 1024)), {
                    style: 'unit',
                    unit: 'kilobyte',
                  })}
                </span>
              </span>
              <Button size="small" kind="quiet" onClick={() => setDraft(event.id, null)}>
                {t('forget')}
              </Button>
            </div>
            <Radios
              label={t('dateOrder')}
              value={draft.dateOrder}
              onChange={(dateOrder) => changeDraft(event.id, { dateOrder, preview: null })}
              options={ORDERS.map((value) => ({ value, label: t(`order.${value}`) }))}
            />
            <Checkbox
              label={t('emails')}
              hint={t('emailsHint')}
              value={draft.emails}
              onChange={(emails) => changeDraft(event.id, { emails })}
            />
            <div className="buttons">
              <Button kind="main" busy={check.busy} onClick={() => void goOn()}>
                {t('toColumns')}
              </Button>
              {check.problem !== null && draft.sheet !== null && (
                <Button onClick={() => go('columns')}>{t('columnsByHand')}</Button>
              )}
            </div>
          </section>
        )}
      </div>
      <GoodFile />
    </div>
  );
}

function DropZone({ onFile, busy }: { onFile: (file: File) => void; busy: boolean }) {
  const t = useWords('import');
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined) onFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same for those who do not drag
    <div
      className="drop"
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <p>
        <strong>{t('drop')}</strong>
      </p>
      <Button kind="main" busy={busy} onClick={() => input.current?.click()}>
        {t('choose')}
      </Button>
      <label className="hidden" htmlFor={id}>
        {t('fileLabel')}
      </label>
      <input
        ref={input}
        id={id}
        className="hidden"
        tabIndex={-1}
        type="file"
        accept=".csv,.txt,.tsv,text/csv"
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file !== undefined) onFile(file);
          // Otherwise choosing the same file again, corrected, would not be noticed.
          target.value = '';
        }}
      />
      <p className="soft small">{t('dropHint')}</p>
    </div>
  );
}

/** What a file should look like, with this event's own types, days and questions. */
function GoodFile() {
  const t = useWords('import');
  const p = useWords('parts');
  const person = useWords('person');
  const { types, days, questions, event } = useEvent();
  const [type, other = type] = types;
  const answers = questions.slice(0, 2);
  const answerOf = (kind: string, options: string[] | null) =>
    options?.[0] ?? (kind === 'yes_no' ? p('yes') : kind === 'number' ? '2' : kind === 'date' ? '2027-05-01' : '…');
  const head = [
    ...[person('first_name'), person('last_name'), person('email')],
    ...(types.length > 0 ? [person('attendee_type')] : []),
    ...(days.length > 1 ? [person('days')] : []),
    ...answers.map(({ label }) => label),
  ];
  const rowOf = (first: string, last: string, one: typeof type, count: number) => [
    ...[first, last, `${first.toLowerCase()}@example.org`],
    ...(one !== undefined ? [one.name] : []),
    ...(days.length > 1
      ? [
          days
            .slice(0, count)
            .map(({ code }) => code)
            .join('; '),
        ]
      : []),
    ...answers.map(({ kind, options }) => answerOf(kind, options)),
  ];
  const rows = [rowOf('Ada', 'Lovelace', type, 1), rowOf('Grace', 'Hopper', other, 2)];
  const href = `data:text/csv;charset=utf-8,${encodeURIComponent(`\ufeff${writeCsv({ head, rows })}`)}`;
  return (
    <section className="stack" data-gap="small" aria-label={t('goodTitle')}>
      <h2>{t('goodTitle')}</h2>
      <ul className="import-rules">
        <li>{t('good1')}</li>
        <li>{t('good2')}</li>
        <li>{t('good3')}</li>
        <li>{t('good4')}</li>
      </ul>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
      <section className="sheet" aria-label={t('sample')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {head.map((cell) => (
                <th key={cell} scope="col">
                  {cell}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row[0]}>
                {row.map((cell, i) => (
                  <td key={head[i]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <div className="buttons">
        <a className="button" data-kind="usual" data-size="small" href={href} download={`${event.code}.csv`}>
          {t('sampleDownload')}
        </a>
      </div>
    </section>
  );
}
