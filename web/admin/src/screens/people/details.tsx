import { Link } from '@tanstack/react-router';
import type { Attendee, Registration } from '@turnout/client';
import { Facts, useFormats, useWords } from '@turnout/ui';
import { useEvent } from '../../frame/event.tsx';
import { useGroups } from '../groups/tree.ts';
import { useAnswerText } from './answer-text.ts';
import { nameOf } from './query.ts';

/** What is known of a person. Empty fields are left out. */
export function Details({ of, registration }: { of: Attendee; registration: Registration | undefined }) {
  const t = useWords('people');
  const p = useWords('parts');
  const formats = useFormats();
  const { base, typeName, dayName, money } = useEvent();
  const { data: groups } = useGroups();
  const group = groups?.find(({ code }) => code === of.group)?.name ?? of.group;
  const facts: (readonly [string, React.ReactNode])[] = [
    [
      p('type'),
      <span key="type">
        <bdi>{typeName(of.attendee_type)}</bdi>
        {of.price_minor !== 0 && <span className="soft"> · {money(of.price_minor)}</span>}
      </span>,
    ],
    [p('days'), formats.list(of.days.map(dayName))],
    [p('email'), of.email !== null && <a href={`mailto:${encodeURIComponent(of.email)}`}>{of.email}</a>],
    [p('phone'), of.phone !== null && <a href={`tel:${of.phone.replaceAll(/[^+\d]/g, '')}`}>{of.phone}</a>],
    [p('dateOfBirth'), of.date_of_birth !== null && formats.date(of.date_of_birth)],
    [p('group'), group],
    [p('externalId'), of.external_id],
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
          <Others of={of} registration={registration} />
        </span>
      ),
    ],
  ];
  return <Facts of={facts.filter(([, value]) => value !== null && value !== false && value !== '')} />;
}

/** Who else came with the same registration. */
function Others({ of, registration }: { of: Attendee; registration: Registration }) {
  const t = useWords('people');
  const { base } = useEvent();
  const others = registration.attendees.filter(({ id }) => id !== of.id);
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
export function AnswersOf({ of }: { of: Pick<Attendee, 'answers'> }) {
  const t = useWords('people');
  const { questions } = useEvent();
  const answerText = useAnswerText();
  const known = new Set(questions.map(({ code }) => code));
  const facts = [
    ...questions.map(({ code, label }) => [label, answerText(of.answers[code])] as const),
    ...Object.entries(of.answers)
      .filter(([code]) => !known.has(code))
      .map(([code, answer]) => [code, answerText(answer)] as const),
  ].filter(([, text]) => text !== '');
  if (facts.length === 0) return <p className="soft">{t('noAnswers')}</p>;
  return <Facts of={facts.map(([label, text]) => [label, <bdi key={label}>{text}</bdi>])} />;
}
