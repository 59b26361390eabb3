import { Link } from '@tanstack/react-router';
import type { Attendee } from '@turnout/client';
import { Button, EmptyState, Form, Page, Section, Submit, toast, useFormats } from '@turnout/ui';
import { useMemo, useState } from 'react';
import { usePages } from '../frame/api.ts';
import { useEvent } from '../frame/event.tsx';
import { type DataColumn, DataTable, useSelection } from '../parts/data-table.tsx';
import { daysText } from '../parts/days-text.ts';
import { DateTimeField, emptyPerson, MoneyField, personInput } from '../parts/fields.tsx';
import { Filters } from '../parts/filters.tsx';
import { History } from '../parts/history.tsx';
import { JobProgress, watchJob } from '../parts/job.tsx';
import { MarkdownField } from '../parts/markdown-field.tsx';
import { PersonFields } from '../parts/person-fields.tsx';
import { Bars, Plot } from '../parts/plot.tsx';
import { QrCode } from '../parts/qr.tsx';
import { StateBadge, useStateOptions } from '../parts/status.tsx';
import { useFilters } from '../parts/use-filters.ts';

/** A table of people with everything that a table can do. */
export function PeopleTable() {
  const { base, types, days, typeName, money } = useEvent();
  const { values, set } = useFilters();
  const optionsOf = useStateOptions();
  const formats = useFormats();
  const query = { ...values, limit: 100 } as { search?: string; order?: 'newest' | 'name' };
  const pages = usePages('listAttendees', { ...base, query }, { keep: true });
  const selection = useSelection(JSON.stringify(values));
  const columns = useMemo<DataColumn<Attendee>[]>(
    () => [
      {
        ...{ id: 'name', head: 'Name', order: 'name', always: true, card: 'title', width: 'minmax(12rem, 2fr)' },
        cell: (one) => (
          <Link className="row-link" to="/$org/events/$event/people/$attendee" params={{ ...base, attendee: one.id }}>
            <bdi>
              {one.first_name} {one.last_name}
            </bdi>
          </Link>
        ),
      },
      { id: 'type', head: 'Type', card: 'line', cell: (one) => typeName(one.attendee_type) },
      {
        id: 'days',
        head: 'Days',
        card: 'line',
        cell: (one) => daysText(one.days, days, formats, (count) => `All ${count} days`),
      },
      {
        id: 'status',
        head: 'Status',
        card: 'end',
        cell: (one) => <StateBadge kind="registration" value={one.status} />,
      },
      { id: 'price', head: 'Price', align: 'end', width: '6rem', cell: (one) => money(one.price_minor) },
      { id: 'email', head: 'E-mail', extra: true, cell: (one) => one.email },
    ],
    [base, typeName, days, money, formats],
  );
  return (
    <Page title="People">
      <Filters
        search={{ label: 'Search by name, e-mail or code' }}
        choices={[
          { name: 'status', label: 'Status', options: optionsOf('registration'), multiple: true },
          {
            name: 'attendee_type',
            label: 'Type',
            options: types.map(({ code, name }) => ({ value: code, label: name })),
          },
          { name: 'day', label: 'Day', options: days.map(({ code, name }) => ({ value: code, label: name })) },
        ]}
      />
      <DataTable
        name="gallery"
        label="People"
        pages={pages}
        keyOf={(one) => one.id}
        nameOf={(one) => `${one.first_name} ${one.last_name}`}
        columns={columns}
        selection={selection}
        order={{ value: values.order, fallback: 'newest', onChange: (order) => set({ order }) }}
        actions={<Button size="small">Send tickets</Button>}
        empty={<EmptyState title="Nobody matches" />}
      />
    </Page>
  );
}

/** Markdown with its tools. */
function Markdown() {
  const [text, setText] = useState('We open **at nine**.');
  const items = [{ value: '{{first_name}}', label: 'First name', action: 'Insert: First name' }];
  return (
    <MarkdownField
      label="Text"
      rows={5}
      value={text}
      onChange={setText}
      placeholders={{ title: 'A name for each person', hint: 'A text behind a bar stands in.', items }}
    />
  );
}

const AT = Array.from({ length: 45 }, (_, i) => new Date(Date.UTC(2027, 3, 20 + i, 5)).toISOString());
const REGISTERED = AT.map((_, i) => Math.round(20 + 15 * Math.sin(i / 4) + (i % 7) * 3));
const CANCELLED = AT.map((_, i) => i % 5);
const SERIES = [
  { name: 'Registered', values: REGISTERED },
  { name: 'Cancelled', values: CANCELLED, tone: 'bad', kind: 'line' },
] as const;
const COUNTS = [{ name: 'Admissions', values: REGISTERED, kind: 'bars', tone: 'good' }] as const;

/** Everything else. */
export function OtherParts() {
  const { days, timezone, questions, base, event } = useEvent();
  const [job, setJob] = useState<string | null>(null);
  const optionsOf = useStateOptions();
  return (
    <Page title="Parts">
      <Section title="States">
        {(['event', 'registration', 'ticket', 'payment', 'job', 'message', 'recipient', 'result'] as const).map(
          (kind) => (
            <div className="row" key={kind}>
              {optionsOf(kind).map(({ value }) => (
                <StateBadge key={value} kind={kind} value={value} />
              ))}
            </div>
          ),
        )}
      </Section>
      <Section title="Numbers">
        <Plot label="Registrations by day" at={AT} series={SERIES} by="day" timeZone={timezone} />
        <Plot label="Admissions by day" at={AT} series={COUNTS} by="day" timeZone={timezone} height={140} />
        <Bars
          label="Places by day"
          bars={days.map(({ code, name }, i) => ({ id: code, name, value: 60 + 70 * i, total: 200, more: 12 * i }))}
        />
        <Bars
          label="Refusals"
          bars={[
            { id: 'a', name: 'Already admitted', value: 31, tone: 'warn' },
            { id: 'b', name: 'Ticket is for another day', value: 12, tone: 'bad' },
          ]}
        />
      </Section>
      <Section title="Job">
        <div className="buttons">
          <Button onClick={() => setJob(String(Date.now()))}>Show job</Button>
          <Button
            onClick={() =>
              watchJob({
                org: base.org,
                job: String(Date.now()),
                title: 'Import of people.csv',
                href: `/app/${base.org}/events/${base.event}`,
              })
            }
          >
            Start job
          </Button>
        </div>
        {job !== null && <JobProgress job={job} title="Import of people.csv" />}
        <History object="a1" />
      </Section>
      <Section title="Markdown">
        <Markdown />
      </Section>
      <Section title="Fields">
        <Form
          values={{
            price: 2500 as number | null,
            opens: event.starts_at,
            person: emptyPerson({ attendee_type: 'adult' }),
          }}
          submit={async (values) => personInput(values.person, questions)}
          done={(sent) => toast(JSON.stringify(sent))}
        >
          {({ field, faultsIn }) => (
            <>
              <MoneyField label="Price" currency={event.currency} {...field('price')} />
              <DateTimeField label="Opens" zone={timezone} {...field('opens')} />
              <PersonFields {...field('person')} faults={faultsIn('person')} />
              <div className="buttons">
                <Submit />
              </div>
            </>
          )}
        </Form>
      </Section>
      <Section title="QR code">
        <QrCode text="https://example.org/o/acme/summer" label="The address of the event’s page" />
      </Section>
    </Page>
  );
}
