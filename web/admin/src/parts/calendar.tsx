import { BackIcon, Button, NextIcon, TextField, useFormats, useWords } from '@turnout/ui';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { addMonths, firstDayOf, movedBy, weeksOf } from './calendar-days.ts';
import './calendar.css';

export interface CalendarProps {
  /** The chosen day; empty if there is none. */
  value: string;
  today: string;
  min?: string | undefined;
  max?: string | undefined;
  onChoose: (day: string) => void;
  /** The time of day, where the field has one. */
  time?: { value: string; onChange: (time: string) => void } | undefined;
  /** The field may be empty. */
  onClear?: (() => void) | undefined;
  onClose: () => void;
}

/** A month of days, by the pattern of ARIA for grids: arrows move by day and week, Page Up and Down by month, with Shift by year. */
export default function Calendar({ value, today, min, max, onChoose, time, onClear, onClose }: CalendarProps) {
  const t = useWords('parts');
  const formats = useFormats();
  const id = useId();
  const within = (day: string) => (min !== undefined && day < min ? min : max !== undefined && day > max ? max : day);
  const [here, setHere] = useState(() => within(value === '' ? today : value));
  const table = useRef<HTMLTableElement>(null);
  const moves = useRef(true);
  const first = firstDayOf(formats.locale);
  const weeks = weeksOf(here, first);
  // The focus follows the keys, not the buttons for other months.
  useEffect(() => {
    if (moves.current) table.current?.querySelector<HTMLElement>(`[data-day="${here}"]`)?.focus();
  }, [here]);
  const go = (day: string, focus: boolean) => {
    moves.current = focus;
    setHere(within(day));
  };
  const press = (event: KeyboardEvent) => {
    const next = movedBy(event.key, event.shiftKey, here, first);
    if (next === null) return;
    event.preventDefault();
    go(next, true);
  };
  return (
    <div className="calendar">
      <div className="calendar-head">
        <strong id={id} aria-live="polite">
          {formats.when(here, { month: 'long', year: 'numeric' })}
        </strong>
        <Button kind="quiet" size="small" aria-label={t('monthBefore')} onClick={() => go(addMonths(here, -1), false)}>
          <BackIcon />
        </Button>
        <Button kind="quiet" size="small" aria-label={t('monthAfter')} onClick={() => go(addMonths(here, 1), false)}>
          <NextIcon />
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table that one moves in */}
      <table role="grid" aria-labelledby={id} ref={table} onKeyDown={press}>
        <thead>
          <tr>
            {weeks[0]!.map((day) => (
              <th key={day} scope="col" abbr={formats.when(day, { weekday: 'long' })}>
                {formats.when(day, { weekday: 'short' })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/noNoninteractiveElementToInteractiveRole: the button in it has the focus
                <td key={day} role="gridcell" aria-selected={day === value}>
                  <button
                    type="button"
                    data-day={day}
                    data-outside={day.slice(0, 7) !== here.slice(0, 7) || undefined}
                    tabIndex={day === here ? 0 : -1}
                    disabled={within(day) !== day}
                    aria-current={day === today ? 'date' : undefined}
                    aria-label={formats.when(day, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })}
                    onClick={() => {
                      go(day, true);
                      onChoose(day);
                    }}
                  >
                    {Number(day.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div className="calendar-foot">
        {time !== undefined && <TextField type="time" label={t('time')} value={time.value} onChange={time.onChange} />}
        {time === undefined && (
          <Button kind="quiet" size="small" onClick={() => go(today, true)}>
            {t('showToday')}
          </Button>
        )}
        {onClear !== undefined && value !== '' && (
          <Button kind="quiet" size="small" onClick={onClear}>
            {t('clearDate')}
          </Button>
        )}
        {time !== undefined && (
          <Button size="small" onClick={onClose}>
            {t('done')}
          </Button>
        )}
      </div>
    </div>
  );
}
