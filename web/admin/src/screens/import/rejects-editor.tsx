import type { ImportColumn } from '@turnout/client';
import { Button, Switch, useAllWords, useWords } from '@turnout/ui';
import { useId, useMemo, useState } from 'react';
import { useEvent } from '../../frame/event.tsx';
import { useGroups } from '../groups/tree.ts';
import { keyOf } from './draft.ts';
import { columnsOf, type Reason, reasonsIn } from './reasons.ts';
import '../../parts/sheet.css';

/** A row that could not be imported: its cells as they came, and why. */
export interface Reject {
  cells: readonly string[];
  why: string;
}
export type Fixes = Readonly<Record<string, readonly string[]>>;

interface EditorProps {
  head: readonly string[];
  columns: readonly ImportColumn[];
  rejects: readonly Reject[];
  fixes: Fixes;
  /** What a check of the corrected rows has found: why a row is still wrong, or null if it is right now. */
  checked: Readonly<Record<string, string | null>>;
  onFix: (fixes: Fixes) => void;
}

const SHOWN = 100;
/** Columns that say who a row is about. */
const WHO = ['first_name', 'last_name', 'name', 'email', 'external_id'];

/** Every rejected row with its reason, to be corrected in place: the wrong cells, and what says who it is. */
export function RejectsEditor({ head, columns, rejects, fixes, checked, onFix }: EditorProps) {
  const t = useWords('import');
  const words = useAllWords();
  const id = useId();
  const [all, setAll] = useState(false);
  const [shown, setShown] = useState(SHOWN);
  const [offer, setOffer] = useState<{ column: number; from: string; to: string } | null>(null);
  const rows = useMemo(
    () =>
      rejects.map(({ cells, why }) => {
        const key = keyOf(cells);
        const reasons = reasonsIn(checked[key] ?? why);
        return { key, cells, reasons, wrong: new Set(reasons.flatMap((reason) => columnsOf(reason, columns))) };
      }),
    [rejects, columns, checked],
  );
  /** A column that was added here is called by what it is. */
  const headOf = (i: number): string => {
    if (i >= head.length) return t('noHeading');
    return words.find('import', `field.${head[i]}`) ?? head[i]!;
  };
  const anyWrong = new Set(rows.flatMap(({ wrong }) => [...wrong]));
  const width = Math.max(head.length, ...rejects.map(({ cells }) => cells.length));
  const visible = Array.from({ length: width }, (_, i) => i).filter((i) => {
    if (all || anyWrong.has(i) || i >= head.length) return true;
    return WHO.includes(columns[i]?.field ?? '');
  });
  const cellsOf = (row: (typeof rows)[number]) => fixes[row.key] ?? row.cells;
  const put = (changes: readonly (readonly [row: (typeof rows)[number], column: number, text: string])[]) => {
    const next = { ...fixes };
    for (const [row, column, text] of changes) {
      const cells = Array.from({ length: Math.max(row.cells.length, column + 1) }, (_, i) =>
        i === column ? text : ((next[row.key] ?? row.cells)[i] ?? ''),
      );
      if (cells.every((cell, i) => cell === (row.cells[i] ?? ''))) delete next[row.key];
      else next[row.key] = cells;
    }
    onFix(next);
  };
  const same =
    offer === null
      ? []
      : rows.filter(
          (row) =>
            row.wrong.has(offer.column) &&
            (row.cells[offer.column] ?? '') === offer.from &&
            (cellsOf(row)[offer.column] ?? '') === offer.from,
        );
  return (
    <div className="stack" data-gap="small">
      <Switch label={t('allColumns')} value={all} onChange={setAll} />
      <Suggestions id={id} />
      <div className="sheet rejects">
        <table aria-label={t('rejectsTable')}>
          <thead>
            <tr>
              <th scope="col">{t('why')}</th>
              {visible.map((i) => (
                <th key={i} scope="col">
                  {headOf(i)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row, n) => {
              const cells = cellsOf(row);
              const state =
                fixes[row.key] === undefined
                  ? 'open'
                  : (checked[row.key] ?? undefined) === undefined
                    ? 'fixed'
                    : 'open';
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no names, and two may be the same
                <tr key={n} data-state={state}>
                  <td data-head={t('why')} id={`${id}-${n}`}>
                    {state === 'fixed' ? (
                      <span className="reject-fixed">✓ {t(checked[row.key] === null ? 'fixedGood' : 'fixed')}</span>
                    ) : (
                      <Why reasons={row.reasons} columns={columns} />
                    )}
                  </td>
                  {visible.map((i) => (
                    <td key={i} data-head={headOf(i)}>
                      <input
                        className="input"
                        aria-label={t('cellOf', { column: headOf(i), row: n + 1 })}
                        aria-describedby={row.wrong.has(i) ? `${id}-${n}` : undefined}
                        aria-invalid={(row.wrong.has(i) && state === 'open') || undefined}
                        list={listOf(id, columns[i])}
                        value={cells[i] ?? ''}
                        onChange={({ target }) => {
                          put([[row, i, target.value]]);
                          setOffer({ column: i, from: row.cells[i] ?? '', to: target.value });
                        }}
                      />
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {offer !== null && same.length > 0 && offer.to !== offer.from && (
        <div className="import-offer" role="status">
          <Button
            size="small"
            onClick={() => {
              put(same.map((row) => [row, offer.column, offer.to] as const));
              setOffer(null);
            }}
          >
            {t('alsoThere', {
              count: same.length,
              to: offer.to,
              from: offer.from === '' ? t('emptyCell') : offer.from,
            })}
          </Button>
        </div>
      )}
      {rows.length > shown && (
        <div className="buttons">
          <Button size="small" onClick={() => setShown(shown + SHOWN)}>
            {t('showMoreRejects', { count: Math.min(SHOWN, rows.length - shown) })}
          </Button>
        </div>
      )}
    </div>
  );
}

/** What is wrong, in the server's words where they are the viewer's language, else in ours with the value. */
function Why({ reasons, columns }: { reasons: readonly Reason[]; columns: readonly ImportColumn[] }) {
  const t = useWords('import');
  const words = useAllWords();
  const textOf = (reason: Reason): string => {
    const known = words.find('import', `reason.${reason.code}`);
    if (words.language === 'en' || known === null) return reason.words;
    const where = columnsOf(reason, columns).map((i) => columns[i]!.heading)[0];
    const about = [where, reason.value === null ? undefined : `“${reason.value}”`].filter(Boolean).join(': ');
    return about === '' ? known : t('reasonAbout', { reason: known, about });
  };
  return (
    <ul className="reject-why">
      {reasons.map((reason) => (
        <li key={`${reason.code} ${reason.words}`}>{textOf(reason)}</li>
      ))}
    </ul>
  );
}

const LISTED = ['attendee_type', 'days', 'group'] as const;
const listOf = (id: string, column: ImportColumn | undefined): string | undefined =>
  LISTED.some((field) => field === column?.field) ? `${id}-${column?.field}` : undefined;

/** What can be typed into a cell with a type, day or group. */
function Suggestions({ id }: { id: string }) {
  const { types, days } = useEvent();
  const { data: groups = [] } = useGroups();
  const lists = { attendee_type: types, days, group: groups };
  return LISTED.map((field) => (
    <datalist key={field} id={`${id}-${field}`}>
      {lists[field].map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </datalist>
  ));
}
