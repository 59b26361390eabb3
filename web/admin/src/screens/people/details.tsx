import { Link } from '@tanstack/react-router';
import type { Attendee, Registration } from '@turnout/client';
import { Facts, useFormats, useWords } from '@turnout/ui';
import { useEvent } from '../../frame/event.tsx';
import { useGroups } from '../groups/tree.ts';
import { useAnswerText } from './answer-text.ts';
import { nameOf } from './query.ts';

/** What is known of a person. Empty fields are left out. */
export function Details({ attendee, registration }: { attendee: Attendee; registration: Registration | undefined }) {
  const t = useWords('people');
  const p = useWords('parts');
  const formats = useFormats();
  const { base, typeName, dayName, money } = useEvent();
  const { data: groups } = useGroups();
  const group = groups?.find(({ code }) => code === attendee.group)?.name ?? attendee.group;
  const facts: (readonly [string, React.ReactNode])[] = [
    [
      p('type'),
      <span key="type">
        <bdi>{typeName(attendee.attendee_type)}</bdi>
        {attendee.price_minor !== 0 && <span className="soft"> · {money(attendee.price_minor)}</span>}
      </span>,
    ],
    [p('days'), formats.list(attendee.days.map(dayName))],
    [
      p('email'),
      attendee.email !== null && <a href={`mailto:${encodeURIComponent(attendee.email)}`}>{attendee.email}</a>,
    ],
    [
      p('phone'),
      attendee.phone !== null && <a href={`tel:${attendee.phone.replaceAll(/[^+\d]/g, '')}`}>{attendee.phone}</a>,
    ],
    [p('dateOfBirth'), attendee.date_of_birth !== null && formats.date(attendee.date_of_birth)],
    [p('group'), group],
    [p('externalId'), attendee.external_id],
    [
      t('registration'),
      registration !== undefined && (
        <span key="registration">
          <Link
            to="/$org/events/$event/registrations/$registration"
            params={{ ...base, registration: registration.code }}
          >
            {registration.code}
          </Link>
          <OtherAttendees attendee={attendee} registration={registration} />
        </span>
      ),
    ],
  ];
  return <Facts facts={facts.filter(([, value]) => value !== null && value !== false && value !== '')} />;
}

/** Who else came with the same registration. */
function OtherAttendees({ attendee, registration }: { attendee: Attendee; registration: Registration }) {
  const t = useWords('people');
  const { base } = useEvent();
  const others = registration.attendees.filter(({ id }) => id !== attendee.id);
  if (others.length === 0) return null;
  return (
    <span className="soft">
      {' '}
      · {t('with')}{' '}
      {others.slice(0, MAX_SHOWN_NAMES).map((one, i) => (
        <span key={one.id}>
          {i > 0 && ', '}
          <Link to="/$org/events/$event/people/$attendee" params={{ ...base, attendee: one.id }}>
            <bdi>{nameOf(one)}</bdi>
          </Link>
        </span>
      ))}
      {others.length > MAX_SHOWN_NAMES && ` ${t('andMore', { count: others.length - MAX_SHOWN_NAMES })}`}
    </span>
  );
}
const MAX_SHOWN_NAMES = 8;

/** The answers, in the order of the questions; then those whose question is gone. */
export function AnswersOf({ attendee }: { attendee: Pick<Attendee, 'answers'> }) {
  const t = useWords('people');
  const { questions } = useEvent();
  const answerText = useAnswerText();
  const known = new Set(questions.map(({ code }) => code));
  const facts = [
    ...questions.map(({ code, label }) => [label, answerText(attendee.answers[code])] as const),
    ...Object.entries(attendee.answers)
      .filter(([code]) => !known.has(code))
      .map(([code, answer]) => [code, answerText(answer)] as const),
  ].filter(([, text]) => text !== '');
  if (facts.length === 0) return <p className="soft">{t('noAnswers')}</p>;
  return <Facts facts={facts.map(([label, text]) => [label, <bdi key={label}>{text}</bdi>])} />;
}
