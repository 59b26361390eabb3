import type { AttendanceCounts, Whereabouts } from '../engine/types.ts';
import { paceOf, useAttendance, useDay } from '../parts/attendance.ts';
import { DayChoice } from '../parts/day-choice.tsx';
import { Figures } from '../parts/figures.tsx';
import { Icon } from '../parts/icons.tsx';
import { Page } from '../parts/page.tsx';
import { go, listed, manifest } from '../parts/session.ts';
import { Freshness } from '../parts/state-line.tsx';
import { formats, t } from '../parts/words.ts';

/** How full it is, how fast people come in, and how many are still to come, by what this device knows. */
export function Statistics() {
  const { days, day, choose } = useDay();
  const counts = useAttendance(day);
  const show = (where: Whereabouts) => {
    listed.value = where;
    go('attendance');
  };
  // The event decides whether devices show names.
  const names = manifest.value?.event.door.name_search === true;
  return (
    <Page title={t('statistics')}>
      <DayChoice days={days} day={day} onChoose={choose} />
      {counts !== null && (
        <>
          <Figures counts={counts} onShow={names ? show : null} />
          {names && (
            <ul class="rows">
              <li>
                <button type="button" class="row" onClick={() => go('attendance')}>
                  <span>{t('attendance')}</span>
                  <Icon name="on" />
                </button>
              </li>
            </ul>
          )}
          <Minutes counts={counts} />
          <Types counts={counts} />
        </>
      )}
      <Freshness />
    </Page>
  );
}

function Minutes({ counts }: { counts: AttendanceCounts }) {
  const { minutes } = counts;
  const most = Math.max(...minutes, 1);
  const pace = paceOf(counts);
  const now = Date.now();
  return (
    <section class="group">
      <h2>{t('pace')}</h2>
      <p>
        <strong>{formats().number(pace, { maximumFractionDigits: pace < 10 ? 1 : 0 })}</strong> {t('paceHint')}
      </p>
      <div class="minutes" role="img" aria-label={t('minutesLabel', { most: formats().number(most) })}>
        {minutes.map((admissions, i) => (
          <span key={i} style={{ height: `${(100 * admissions) / most}%` }} />
        ))}
      </div>
      <p class="minutes-scale" aria-hidden="true">
        <span>{formats().relative(now - 60 * 60_000, now)}</span>
        <span>{formats().relative(now, now)}</span>
      </p>
    </section>
  );
}

function Types({ counts }: { counts: AttendanceCounts }) {
  const types = manifest.value?.attendee_types ?? [];
  const byCode = new Map(counts.types.map((one) => [one.attendee_type, one]));
  const rows = types.flatMap(({ code, name }) => {
    const one = byCode.get(code);
    return one === undefined ? [] : [{ name, ...one }];
  });
  if (rows.length === 0) return <p>{t('attendanceNone')}</p>;
  return (
    <table class="figures-table">
      <caption>{t('byType')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('type')}</th>
          <th scope="col">{t('whereabouts.inside')}</th>
          <th scope="col">{t('whereabouts.awaited')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ attendee_type, name, inside, awaited }) => (
          <tr key={attendee_type}>
            <th scope="row">
              <bdi>{name}</bdi>
            </th>
            <td>{formats().number(inside)}</td>
            <td>{formats().number(awaited)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
