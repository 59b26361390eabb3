import { Link, useParams } from '@tanstack/react-router';
import type { RegisteredAttendee, Registration } from '@turnout/client';
import { isPossible } from '@turnout/contract/registration-states';
import { Ago, Button, Dialog, Form, Page, Section, Submit, Table, useFormats, useWords } from '@turnout/ui';
import { useState } from 'react';
import { call, useCall } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { QueryResult } from '../../../../frame/query-result.tsx';
import { emptyPerson, personInput } from '../../../../parts/fields.tsx';
import { History } from '../../../../parts/history.tsx';
import { lateEntry } from '../../../../parts/late-entry.ts';
import { PersonFields, personOf } from '../../../../parts/person-fields.tsx';
import { StateBadge, useNameText } from '../../../../parts/status.tsx';
import { useFilters } from '../../../../parts/use-filters.ts';
import '../people.css';
import { AnswersOf } from '../attendee/details.tsx';
import { useDone } from '../attendee/dialog-parts.tsx';
import { useEditSoon } from '../attendee/edit-later.tsx';
import { BookedTogether } from '../booked/booked-section.tsx';
import { useLineText } from '../booked/line-text.ts';
import { useMayHere } from '../may-here.ts';
import { nameOf } from '../query.ts';
import { Contact } from './contact.tsx';
import { Money } from './money.tsx';
import { StatusActions } from './status-actions.tsx';

/** One registration: its people, who registered them, the money, and what is to be decided. */
export default function RegistrationScreen() {
  const t = useWords('registrations');
  const { base } = useEvent();
  const { values } = useFilters();
  const { registration } = useParams({ from: '/$org/events/$event/people/registrations/$registration' });
  const found = useCall('getRegistration', { ...base, registration });
  const crumb = (
    <Link to="/$org/events/$event/people/registrations" params={base} search={values as never}>
      {t('title')}
    </Link>
  );
  if (found.data === undefined)
    return (
      <Page title={t('one')} crumb={crumb}>
        <QueryResult query={found}>{() => null}</QueryResult>
      </Page>
    );
  return <RegistrationDetails registration={found.data} crumb={crumb} />;
}

function RegistrationDetails({ registration, crumb }: { registration: Registration; crumb: React.ReactNode }) {
  const t = useWords('registrations');
  const may = useMayHere();
  const { source } = useNameText();
  useEditSoon();
  return (
    <Page
      title={t('oneTitle', { code: registration.code })}
      crumb={crumb}
      lead={
        <span className="row">
          <StateBadge kind="registration" value={registration.status} />
          {registration.test && <StateBadge kind="event" value="test" />}
          <span>
            {source(registration.source)} · <Ago at={registration.created_at} />
          </span>
        </span>
      }
      actions={may('people.write') && <StatusActions registration={registration} />}
    >
      <People registration={registration} />
      <BookedTogether registration={registration} />
      <Answers registration={registration} />
      <div className="person">
        <Contact registration={registration} />
        <Money registration={registration} />
      </div>
      <History object={registration.id} />
    </Page>
  );
}

/** What each person has answered, which is what an approval is decided by. */
function Answers({ registration }: { registration: Registration }) {
  const t = useWords('registrations');
  const answered = registration.attendees.filter(({ answers }) =>
    Object.values(answers).some((answer) => answer !== null),
  );
  if (answered.length === 0) return null;
  return (
    <Section title={t('answers')}>
      <div className="answers-by-person">
        {answered.map((one) => (
          <section key={one.id} aria-label={nameOf(one)}>
            {registration.attendees.length > 1 && (
              <h3>
                <bdi>{nameOf(one)}</bdi>
              </h3>
            )}
            <AnswersOf attendee={one} />
          </section>
        ))}
      </div>
    </Section>
  );
}

function People({ registration }: { registration: Registration }) {
  const t = useWords('registrations');
  const person = useWords('person');
  const b = useWords('booking');
  const lineText = useLineText();
  const formats = useFormats();
  const may = useMayHere();
  const { base, typeName, dayName, money, days } = useEvent();
  const [adding, setAdding] = useState(false);
  return (
    <Section
      title={t('people', { count: registration.attendees.length })}
      actions={
        may('people.write') &&
        isPossible('add', registration.status) && (
          <Button size="small" onClick={() => setAdding(true)}>
            {t('addPerson')}
          </Button>
        )
      }
    >
      <Table<RegisteredAttendee>
        label={t('peopleTable')}
        rows={registration.attendees}
        keyOf={(one) => one.id}
        columns={[
          {
            ...{ id: 'name', head: t('name') },
            cell: (one) => (
              <>
                <Link
                  className="row-link"
                  to="/$org/events/$event/people/$attendee"
                  params={{ ...base, attendee: one.id }}
                >
                  <bdi>{nameOf(one)}</bdi>
                </Link>
                {one.products.length > 0 && (
                  <div className="soft small">{formats.list(one.products.map(lineText))}</div>
                )}
              </>
            ),
          },
          { id: 'type', head: person('attendee_type'), cell: (one) => <bdi>{typeName(one.attendee_type)}</bdi> },
          ...(days.length > 0
            ? [
                {
                  id: 'days',
                  head: person('days'),
                  cell: (one: RegisteredAttendee) => formats.list(one.days.map(dayName)),
                },
              ]
            : []),
          { id: 'email', head: person('email'), cell: (one) => one.email },
          {
            id: 'status',
            head: person('status'),
            cell: (one) => <StateBadge kind="registration" value={one.status} />,
          },
          {
            ...{ id: 'price', head: person('price_minor'), align: 'end' },
            cell: (one) => (
              <>
                {money(one.price_minor)}
                {one.discount_minor > 0 && (
                  <div className="soft small">{b('off', { amount: money(one.discount_minor) })}</div>
                )}
              </>
            ),
          },
        ]}
      />
      {adding && <AddPerson registration={registration} onClose={() => setAdding(false)} />}
    </Section>
  );
}

function AddPerson({ registration, onClose }: { registration: Registration; onClose: () => void }) {
  const t = useWords('registrations');
  const { base, questions, days, types } = useEvent();
  const done = useDone(onClose);
  const [began] = useState(() => emptyPerson({ attendee_type: types.length === 1 ? types[0]!.code : '' }));
  return (
    <Dialog title={t('addPerson')} onClose={onClose} wide>
      <Form
        values={began}
        submit={(person, { key }) =>
          call(
            'addAttendee',
            {
              ...{ ...base, registration: registration.id },
              body: { ...personInput(person, questions), ...lateEntry([person], { days, types }) },
            },
            { key },
          )
        }
        done={(person) => done(t('wasAdded', { name: nameOf(person) }))}
      >
        {(form) => (
          <>
            <PersonFields {...personOf(form)} />
            <div className="buttons">
              <Submit>{t('addPerson')}</Submit>
              <Button kind="quiet" onClick={onClose}>
                {t('back')}
              </Button>
            </div>
          </>
        )}
      </Form>
    </Dialog>
  );
}
