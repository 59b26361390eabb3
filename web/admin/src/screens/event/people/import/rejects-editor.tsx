import type { ImportColumn } from '@turnout/client';
import { Button, CheckIcon, Switch, useAllWords, useWords } from '@turnout/ui';
import { useId, useState } from 'react';
import { useEvent } from '../../../../frame/event.tsx';
import { usePhone } from '../../../../parts/use-phone.ts';
import { useGroups } from '../../../groups/tree.ts';
import { useReasonTexts } from './reason-text.ts';
import { type Correction, isWrong, rowsLike, shownColumns } from './reject-cells.ts';
import type { CheckedRows, RejectedRow } from './reject-rows.ts';
import '../../../../parts/sheet.css';

interface EditorProps {
  head: readonly string[];
  columns: readonly ImportColumn[];
  rows: readonly RejectedRow[];
  checked: CheckedRows;
  /** Puts a text into one column of these rows. */
  onPut: (rows: readonly RejectedRow[], column: number, text: string) => void;
}

/** A row is a card of ten fields on a phone, and a line in a box that scrolls elsewhere. */
const SHOWN = { phone: 10, wide: 100 };

/** Every rejected row with its reason, to be corrected in place: the wrong cells, and what says who it is. */
export function RejectsEditor({ head, columns, rows, checked, onPut }: EditorProps) {
  const t = useWords('import');
  const id = useId();
  const [all, setAll] = useState(false);
  const step = SHOWN[usePhone() ? 'phone' : 'wide'];
  const [more, setMore] = useState(0);
  const shown = step + more;
  const [last, setLast] = useState<Correction | null>(null);
  const headOf = useHeadOf(head);
  const visible = shownColumns(rows, { head, columns, all });
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
            {rows.slice(0, shown).map((row, n) => (
              <RejectRow
                // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no names, and two may be the same
                key={n}
                {...{ id, n, row, columns, visible, headOf }}
                isChecked={checked[row.key] === null}
                onPut={(column, to) => {
                  onPut([row], column, to);
                  setLast({ column, from: row.cells[column] ?? '', to });
                }}
              />
            ))}
          </tbody>
        </table>
      </div>
      {last !== null && (
        <Offer
          correction={last}
          rows={rowsLike(rows, last)}
          onPut={(others) => {
            onPut(others, last.column, last.to);
            setLast(null);
          }}
        />
      )}
      {rows.length > shown && (
        <div className="buttons">
          <Button size="small" onClick={() => setMore(more + step)}>
            {t('showMoreRejects', { count: Math.min(step, rows.length - shown) })}
          </Button>
        </div>
      )}
    </div>
  );
}

/** What a column is called. One that was added here is called by what it is. */
function useHeadOf(head: readonly string[]): (column: number) => string {
  const t = useWords('import');
  const words = useAllWords();
  return (i) => (i >= head.length ? t('noHeading') : (words.find('import', `field.${head[i]}`) ?? head[i]!));
}

/** One row: why it cannot be imported, and its cells. */
function RejectRow({
  id,
  n,
  row,
  columns,
  visible,
  headOf,
  isChecked,
  onPut,
}: {
  id: string;
  n: number;
  row: RejectedRow;
  columns: readonly ImportColumn[];
  visible: readonly number[];
  headOf: (column: number) => string;
  /** The server has found its corrections right. */
  isChecked: boolean;
  onPut: (column: number, text: string) => void;
}) {
  const t = useWords('import');
  const state = row.reasons.length === 0 ? 'fixed' : 'open';
  return (
    <tr data-state={state}>
      <td data-head={t('why')} id={`${id}-${n}`}>
        {state === 'fixed' ? (
          <span className="reject-fixed">
            <CheckIcon /> {t(isChecked ? 'fixedGood' : 'fixed')}
          </span>
        ) : (
          <RejectReasons row={row} columns={columns} />
        )}
      </td>
      {visible.map((i) => (
        <td key={i} data-head={headOf(i)}>
          <input
            className="input"
            aria-label={t('cellOf', { column: headOf(i), row: n + 1 })}
            aria-describedby={isWrong(row, i) ? `${id}-${n}` : undefined}
            aria-invalid={isWrong(row, i) || undefined}
            list={listOf(id, columns[i])}
            value={row.current[i] ?? ''}
            onChange={({ target }) => onPut(i, target.value)}
          />
        </td>
      ))}
    </tr>
  );
}

/** The same correction for all rows that are wrong in the same way. */
function Offer({
  correction: { from, to },
  rows,
  onPut,
}: {
  correction: Correction;
  rows: readonly RejectedRow[];
  onPut: (rows: readonly RejectedRow[]) => void;
}) {
  const t = useWords('import');
  if (rows.length === 0) return null;
  return (
    <div className="import-offer" role="status">
      <Button size="small" onClick={() => onPut(rows)}>
        {t('alsoThere', { count: rows.length, to, from: from === '' ? t('emptyCell') : from })}
      </Button>
    </div>
  );
}

function RejectReasons({ row, columns }: { row: RejectedRow; columns: readonly ImportColumn[] }) {
  const { ofRow } = useReasonTexts(columns);
  return (
    <ul className="reject-why">
      {row.reasons.map((reason) => (
        <li key={`${reason.code} ${reason.words}`}>{ofRow(reason, row.current)}</li>
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
