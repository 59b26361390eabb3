import { Link } from '@tanstack/react-router';
import type { AttendanceReport, Day } from '@turnout/client';
import {
  Badge,
  Button,
  ConfirmDialog,
  EmptyState,
  Page,
  ProblemNotice,
  toast,
  useFormats,
  useWords,
} from '@turnout/ui';
import { useState } from 'react';
import { useAction } from '../../../frame/action.ts';
import { call, useCall, useRefresh } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { useOrganization } from '../../../frame/organization.tsx';
import { QueryResult } from '../../../frame/query-result.tsx';
import { ExportFile, ExportProgress } from '../../../parts/export-file.tsx';
import { Bars } from '../../../parts/plot.tsx';
import './check-in.css';

/** Day by day: who came, who has not, who is inside; and the lock that ends admission to a day. */
export default function Attendance() {
  const t = useWords('door');
  const { base, days } = useEvent();
  const report = useCall('reportAttendance', base);
  return (
    <Page
      title={t('attendance')}
      lead={t('attendanceLead')}
      actions={<ExportFile what="checkins" filter={{ report: 'attendance' }} />}
    >
      <ExportProgress />
      {days.length === 0 ? (
        <EmptyState title={t('noDays')}>{t('noDaysText')}</EmptyState>
      ) : (
        <QueryResult query={report}>
          {(data) => (
            <div className="door-days">
              {days.map((day) => (
                <OneDay key={day.id} day={day} attendance={data.days.find((one) => one.day === day.code)} />
              ))}
            </div>
          )}
        </QueryResult>
      )}
    </Page>
  );
}

function OneDay({ day, attendance }: { day: Day; attendance: AttendanceReport['days'][number] | undefined }) {
  const t = useWords('door');
  const formats = useFormats();
  const { base, typeName, dayName, timezone } = useEvent();
  const { may } = useOrganization();
  const {
    came = 0,
    expected = 0,
    inside = 0,
    no_shows = 0,
    still_expected = 0,
    attendee_types = [],
  } = attendance ?? {};
  const isEmpty = expected === 0 && came === 0 && inside === 0;
  const people = (checked_in: 'true' | 'false', text: string) =>
    may('people.read') ? (
      <Link
        to="/$org/events/$event/people"
        params={base}
        search={{ day: day.code, checked_in, status: 'confirmed' } as never}
      >
        {text}
      </Link>
    ) : (
      text
    );
  return (
    <section className="card" aria-label={dayName(day.code)}>
      <div className="row" data-apart="">
        <div>
          <h2>
            <bdi>{dayName(day.code)}</bdi>
          </h2>
          {day.name !== day.date && <p className="soft small">{formats.date(day.date, timezone)}</p>}
        </div>
        {day.locked_at !== null && (
          <Badge tone="warn">{t('lockedAt', { when: formats.dateTime(day.locked_at, timezone) })}</Badge>
        )}
      </div>
      {isEmpty ? (
        <p className="soft">{t('nobodyExpected')}</p>
      ) : (
        <>
          <p className="door-came number">{t('cameOf', { came, expected })}</p>
          <Bars
            label={t('byType')}
            bars={attendee_types.map((one) => ({
              ...{ id: one.attendee_type, name: typeName(one.attendee_type), value: one.came, total: one.expected },
            }))}
          />
          <p className="row number">
            {people('true', t('cameCount', { count: came }))}
            {people('false', t('missingCount', { count: no_shows + still_expected }))}
            <span>{t('insideCount', { count: inside })}</span>
          </p>
        </>
      )}
      {may('events.write') && <Lock day={day} />}
    </section>
  );
}

function Lock({ day }: { day: Day }) {
  const t = useWords('door');
  const { base, dayName } = useEvent();
  const refresh = useRefresh();
  const [asking, setAsking] = useState(false);
  const locked = day.locked_at !== null;
  const change = useAction(async (lock: boolean, { key }: { key: string }) => {
    const at = { ...base, day: day.code };
    await (lock ? call('lockDay', { ...at, body: {} }, { key }) : call('unlockDay', at, { key }));
    setAsking(false);
    toast(t(lock ? 'dayLocked' : 'dayUnlocked', { day: dayName(day.code) }), 'good');
    await refresh('listDays');
  });
  return (
    <div className="buttons">
      <Button
        size="small"
        busy={change.busy && !asking}
        onClick={() => (locked ? void change.run(false) : setAsking(true))}
      >
        {t(locked ? 'unlockDay' : 'lockDay')}
      </Button>
      {!asking && <ProblemNotice problem={change.problem} />}
      {asking && (
        <ConfirmDialog
          title={t('lockTitle', { day: dayName(day.code) })}
          action={t('lockDay')}
          busy={change.busy}
          onConfirm={() => void change.run(true)}
          onClose={() => setAsking(false)}
        >
          <p>{t('lockText')}</p>
          <ProblemNotice problem={change.problem} />
        </ConfirmDialog>
      )}
    </div>
  );
}
