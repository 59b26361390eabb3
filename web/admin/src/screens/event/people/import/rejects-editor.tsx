import type { ImportColumn } from '@turnout/client';
import { Button, CheckIcon, Switch, useAllWords, useWords } from '@turnout/ui';
import { useId, useState } from 'react';
import { useEvent } from '../../../../frame/event.tsx';
import { usePhone } from '../../../../parts/use-phone.ts';
import { useGroups } from '../../../groups/tree.ts';
import { useReasonTexts } from './reason-text.ts';
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
/** Columns that say who a row is about. */
const WHO = ['first_name', 'last_name', 'name', 'email', 'external_id'];

/** Every rejected row with its reason, to be corrected in place: the wrong cells, and what says who it is. */
export function RejectsEditor({ head, columns, rows, checked, onPut }: EditorProps) {
  const t = useWords('import');
  const words = useAllWords();
  const id = useId();
  const [all, setAll] = useState(false);
  const step = SHOWN[usePhone() ? 'phone' : 'wide'];
  const [more, setMore] = useState(0);
  const shown = step + more;
  const [offer, setOffer] = useState<{ column: number; from: string; to: string } | null>(null);
  /** A column that was added here is called by what it is. */
  const headOf = (i: number): string => {
    if (i >= head.length) return t('noHeading');
    return words.find('import', `field.${head[i]}`) ?? head[i]!;
  };
  const isWrong = ({ reasons }: RejectedRow, i: number) => reasons.some((reason) => reason.columns.includes(i));
  const isChanged = ({ cells, current }: RejectedRow, i: number) => (cells[i] ?? '') !== (current[i] ?? '');
  const width = Math.max(head.length, ...rows.map(({ cells }) => cells.length));
  const visible = Array.from({ length: width }, (_, i) => i).filter((i) => {
    if (all || i >= head.length || rows.some((row) => isWrong(row, i) || isChanged(row, i))) return true;
    return WHO.includes(columns[i]?.field ?? '');
  });
  const same =
    offer === null
      ? []
      : rows.filter((row) => isWrong(row, offer.column) && (row.current[offer.column] ?? '') === offer.from);
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
              const state = row.reasons.length === 0 ? 'fixed' : 'open';
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no names, and two may be the same
                <tr key={n} data-state={state}>
                  <td data-head={t('why')} id={`${id}-${n}`}>
                    {state === 'fixed' ? (
                      <span className="reject-fixed">
                        <CheckIcon /> {t(checked[row.key] === null ? 'fixedGood' : 'fixed')}
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
                        onChange={({ target }) => {
                          onPut([row], i, target.value);
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
              onPut(same, offer.column, offer.to);
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
          <Button size="small" onClick={() => setMore(more + step)}>
            {t('showMoreRejects', { count: Math.min(step, rows.length - shown) })}
          </Button>
        </div>
      )}
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
