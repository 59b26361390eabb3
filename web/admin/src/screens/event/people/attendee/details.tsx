import { Link } from '@tanstack/react-router';
import type { Attendee, Registration } from '@turnout/client';
import { type FieldOf, fieldsOf, PERSON_FIELDS } from '@turnout/contract/person-fields';
import { Facts, useFormats, useWords } from '@turnout/ui';
import type { Formats } from '@turnout/words';
import { useEvent } from '../../../../frame/event.tsx';
import { useGroups } from '../../../groups/tree.ts';
import { useAnswerText } from '../answer-text.ts';
import { nameOf } from '../query.ts';

/** What is known of a person. Empty fields are left out. */
export function Details({ attendee, registration }: { attendee: Attendee; registration: Registration | undefined }) {
  const t = useWords('people');
  const person = useWords('person');
  const b = useWords('booking');
  const formats = useFormats();
  const { base, typeName, dayName, money } = useEvent();
  const { data: groups } = useGroups();
  const group = groups?.find(({ code }) => code === attendee.group)?.name ?? attendee.group;
  const typed = (field: FieldOf<'attendee', { typed: true }>) =>
    [person(field), typedValue(field, attendee[field], formats)] as const;
  const facts: (readonly [string, React.ReactNode])[] = [
    [
      person('attendee_type'),
      <span key="type">
        <bdi>{typeName(attendee.attendee_type)}</bdi>
        {attendee.price_minor !== 0 && <span className="soft"> · {money(attendee.price_minor)}</span>}
        {attendee.price_name !== null && <span className="soft"> · {attendee.price_name}</span>}
        {attendee.discount_minor > 0 && (
          <span className="soft"> · {b('off', { amount: money(attendee.discount_minor) })}</span>
        )}
      </span>,
    ],
    [person('days'), formats.list(attendee.days.map(dayName))],
    ...fieldsOf('attendee', { kind: 'email' }).map(typed),
    ...fieldsOf('attendee', { kind: 'phone' }).map(typed),
    ...fieldsOf('attendee', { kind: 'date' }).map(typed),
    [person('group'), group],
    ...fieldsOf('attendee', { kind: 'text' }).map(typed),
    [
      t('registration'),
      // Its line has its place before it is known: what stands below does not move.
      registration === undefined ? (
        <span key="registration">&nbsp;</span>
      ) : (
        <span key="registration">
          <Link
            to="/$org/events/$event/people/registrations/$registration"
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

/** What somebody typed, as its kind is shown. */
function typedValue(field: FieldOf<'attendee', { typed: true }>, text: string | null, formats: Formats) {
  if (text === null) return null;
  switch (PERSON_FIELDS[field].kind) {
    case 'email':
      return <a href={`mailto:${encodeURIComponent(text)}`}>{text}</a>;
    case 'phone':
      return <a href={`tel:${text.replaceAll(/[^+\d]/g, '')}`}>{text}</a>;
    case 'date':
      return formats.date(text);
    case 'name':
    case 'text':
      return text;
  }
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
