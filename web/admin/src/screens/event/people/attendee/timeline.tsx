import type { Attendee, Registration } from '@turnout/client';
import { ProblemNotice, Section, Skeleton, useFormats, useWords } from '@turnout/ui';
import { useEvent } from '../../../../frame/event.tsx';
import { differs, viewerZone } from '../../../../parts/zoned.ts';
import type { TimelineEntry } from './tell.tsx';
import { useTimeline } from './use-timeline.ts';

/** Everything that happened to a person, newest first: changes, tickets, payments, messages and check-ins in one list. */
export function Timeline({ attendee, registration }: { attendee: Attendee; registration: Registration | undefined }) {
  const t = useWords('people');
  const { timezone } = useEvent();
  const { items, error, loading } = useTimeline(attendee, registration);
  const elsewhere = differs(new Date().toISOString(), timezone, viewerZone());
  return (
    <Section title={t('timeline')} {...(elsewhere && { lead: t('timesIn', { zone: timezone.replaceAll('_', ' ') }) })}>
      <ProblemNotice problem={error} />
      {/* What comes later would stand between what is there. */}
      {loading ? (
        <Skeleton lines={8} />
      ) : (
        <ol className="timeline" aria-label={t('timeline')}>
          {items.map((one) => (
            <Item key={one.id} entry={one} />
          ))}
        </ol>
      )}
    </Section>
  );
}

function Item({ entry: { at, icon: EntryIcon, tone, title, text, by, actions } }: { entry: TimelineEntry }) {
  const formats = useFormats();
  const { timezone } = useEvent();
  return (
    <li className="timeline-item">
      <span className="timeline-sign" data-tone={tone} aria-hidden="true">
        <EntryIcon />
      </span>
      <div className="timeline-what">
        <strong>{title}</strong>
        {text !== undefined && text !== '' && <div className="soft">{text}</div>}
        {by !== undefined && (
          <div className="soft small">
            <bdi>{by}</bdi>
          </div>
        )}
        {actions}
      </div>
      <time className="soft small number" dateTime={at}>
        {formats.dateTime(at, timezone)}
      </time>
    </li>
  );
}
