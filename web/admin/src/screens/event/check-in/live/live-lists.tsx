import { Link } from '@tanstack/react-router';
import type { LiveSnapshot } from '@turnout/client';
import { Ago, Section, useFormats, useWords } from '@turnout/ui';
import { useEvent } from '../../../../frame/event.tsx';
import { StateBadge, useReasonText } from '../../../../parts/status.tsx';
import { useFilters } from '../../../../parts/use-filters.ts';
import { Battery, Queue } from '../devices/device-states.tsx';
import { Reason } from '../reason.tsx';

const SHOWN = 15;

/** The newest scans first. */
export function LastScans({ snapshot }: { snapshot: LiveSnapshot }) {
  const t = useWords('door');
  const formats = useFormats();
  const reasonText = useReasonText();
  const { base, pointName, typeName, timezone } = useEvent();
  const { values } = useFilters();
  const shown = snapshot.check_ins
    .filter((one) => (values.check_in_point ?? one.check_in_point) === one.check_in_point)
    .filter((one) => values.day === undefined || one.day === values.day)
    .slice(0, SHOWN);
  return (
    <Section title={t('lastScans')}>
      {shown.length === 0 && <p className="soft">{t('nothingYet')}</p>}
      <ul className="door-lines live-scans" aria-label={t('lastScans')}>
        {shown.map((one) => (
          <li key={one.id} data-check-in={one.id} data-undone={one.undone || undefined}>
            <span className="number soft">
              {formats.when(one.scanned_at, { hour: 'numeric', minute: '2-digit', second: '2-digit' }, timezone)}
            </span>
            <StateBadge kind="result" value={one.result} />
            <span className="door-line">
              {one.name === null ? (
                <span className="clip">{typeName(one.attendee_type)}</span>
              ) : (
                <Link
                  className="clip"
                  to="/$org/events/$event/people/$attendee"
                  params={{ ...base, attendee: one.attendee_id }}
                >
                  <bdi>{one.name}</bdi>
                </Link>
              )}
              <span className="soft small clip">
                {pointName(one.check_in_point)}
                {one.reason !== null && (
                  <>
                    {' · '}
                    <Reason
                      reason={one.reason}
                      point={one.check_in_point}
                      at={one.scanned_at}
                      say={(when) => t('opensAt', when)}
                    >
                      {reasonText(one.reason)}
                    </Reason>
                  </>
                )}
                {[
                  ...(one.undone ? [t('wasUndone')] : one.override ? [t('wasOverride')] : []),
                  ...(one.offline ? [t('wasOffline')] : []),
                ].map((text) => ` · ${text}`)}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

export function LiveDevices({ devices }: { devices: NonNullable<LiveSnapshot['devices']> }) {
  const t = useWords('door');
  return (
    <Section title={t('devices')}>
      {devices.length === 0 && <p className="soft">{t('noDevices')}</p>}
      <ul className="door-lines" aria-label={t('devices')}>
        {devices.map((one) => (
          <li key={one.id}>
            <bdi className="clip">{one.name}</bdi>
            <span className="soft">{one.seen_at === null ? t('neverSeen') : <Ago at={one.seen_at} />}</span>
            <Queue length={one.queue_length} />
            <Battery level={one.battery} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
