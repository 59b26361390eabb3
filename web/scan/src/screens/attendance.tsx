import { useEffect, useRef, useState } from 'preact/hooks';
import type { SearchResult, Whereabouts } from '../engine/types.ts';
import { describe, momentOf, nameOf } from '../parts/answer-words.ts';
import { useAttendance, useAttendancePart, useDay } from '../parts/attendance.ts';
import { DayChoice } from '../parts/day-choice.tsx';
import { Figures } from '../parts/figures.tsx';
import { Page } from '../parts/page.tsx';
import { go, listed } from '../parts/session.ts';
import { Freshness } from '../parts/state-line.tsx';
import { t } from '../parts/words.ts';

/** Who came and who is still to come, by name. Only what is on the screen is read: there may be 250,000 people. */
export function AttendanceList() {
  const { days, day, choose } = useDay();
  const counts = useAttendance(day);
  const where = listed.value;
  const show = (one: Whereabouts) => {
    listed.value = one;
  };
  return (
    <Page title={t('attendance')} back={() => go('statistics')}>
      <DayChoice days={days} day={day} onChoose={choose} />
      {counts !== null && <Figures counts={counts} shown={where} onShow={show} />}
      <Rows key={`${day} ${where}`} day={day} where={where} />
      <Freshness />
    </Page>
  );
}

/** Rows beyond the screen, so that scrolling finds them there. */
const BEYOND = 15;
/** The same as in the style sheet, in `rem`. */
const ROW_REM = 4;
const rowHeight = (): number => ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

function Rows({ day, where }: { day: string | null; where: Whereabouts }) {
  const list = useRef<HTMLUListElement>(null);
  const visible = useVisibleRows(list);
  const { from, people, count } = useAttendancePart(day, where, visible);
  return (
    <>
      <ul ref={list} class="people" style={{ height: `${(count ?? 0) * ROW_REM}rem` }}>
        {people.map((one, i) => (
          <li
            key={`${one.key} ${one.person}`}
            aria-setsize={count ?? -1}
            aria-posinset={from + i + 1}
            style={{ transform: `translateY(${(from + i) * ROW_REM}rem)` }}
          >
            <bdi>{nameOf(one)}</bdi>
            <small>{detailsOf(one)}</small>
          </li>
        ))}
      </ul>
      <p role="status">{count === 0 && t(`attendanceNone.${where}`)}</p>
    </>
  );
}

const detailsOf = ({ inside, attendee_type, group }: SearchResult): string =>
  describe(inside === null ? null : momentOf(inside.at, Date.now()), attendee_type, group);

/** Which rows are on the screen, in steps, so that not every movement asks anew. */
function useVisibleRows(list: { readonly current: HTMLElement | null }) {
  const [rows, setRows] = useState({ from: 0, count: 4 * BEYOND });
  useEffect(() => {
    const look = () => {
      if (list.current === null) return;
      const height = rowHeight();
      const first = Math.floor(-list.current.getBoundingClientRect().top / height / BEYOND) * BEYOND;
      const from = Math.max(0, first - BEYOND);
      const count = (Math.ceil(innerHeight / height / BEYOND) + 3) * BEYOND;
      setRows((before) => (before.from === from && before.count === count ? before : { from, count }));
    };
    look();
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, [list]);
  return rows;
}
