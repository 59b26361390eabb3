import { Link } from '@tanstack/react-router';
import type { Activity } from '@turnout/client';
import { Ago, Section, useFormats, useWords } from '@turnout/ui';
import type { ReactNode } from 'react';
import { useEvent } from '../../../frame/event.tsx';
import { initials } from './initials.ts';

/** What has just happened: who registered, paid, was checked in or cancelled. Each line leads to them. */
export function Feed({ activities }: { activities: readonly Activity[] }) {
  const t = useWords('overview');
  const lineOf = useLine();
  const lines = activities.flatMap((activity) => {
    const text = lineOf(activity);
    return text === null ? [] : [{ activity, text }];
  });
  return (
    <Section title={t('feed')}>
      {lines.length === 0 ? (
        <p className="soft">{t('feedNone')}</p>
      ) : (
        <ul className="feed">
          {lines.map(({ activity, text }) => (
            <li key={`${activity.kind} ${activity.attendee_id ?? activity.registration_id} ${activity.at}`}>
              <span className="feed-face" aria-hidden="true">
                {initials(activity.name ?? '')}
              </span>
              <ActivityLink activity={activity}>
                <bdi>{text}</bdi>
              </ActivityLink>
              <small className="soft">
                <Ago at={activity.at} />
              </small>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function ActivityLink({ activity, children }: { activity: Activity; children: ReactNode }) {
  const { base } = useEvent();
  const { attendee_id, registration_id } = activity;
  if (attendee_id !== null)
    return (
      <Link to="/$org/events/$event/people/$attendee" params={{ ...base, attendee: attendee_id }}>
        {children}
      </Link>
    );
  return (
    <Link
      to="/$org/events/$event/people/registrations/$registration"
      params={{ ...base, registration: registration_id }}
    >
      {children}
    </Link>
  );
}

/** What happened in words; null for a kind that a newer server knows. */
function useLine(): (activity: Activity) => string | null {
  const t = useWords('overview');
  const formats = useFormats();
  const { typeName, types } = useEvent();
  return ({ kind, name: given, people, attendee_types, amount_minor, currency }) => {
    const name = given ?? t('fed.nameless');
    // Where there is only one type, it says nothing.
    const typesText = types.length > 1 ? ` · ${formats.list(attendee_types.map(typeName))}` : '';
    if (kind === 'paid') return t('fed.paid', { name, amount: formats.money(amount_minor ?? 0, currency ?? '') });
    if (kind === 'checked_in') return t('fed.checkedIn', { name });
    if (kind === 'cancelled') return t('fed.cancelled', { name });
    if (kind !== 'registered') return null;
    return (
      (people === 1 ? t('fed.registered', { name }) : t('fed.registeredMany', { name, count: people })) + typesText
    );
  };
}
