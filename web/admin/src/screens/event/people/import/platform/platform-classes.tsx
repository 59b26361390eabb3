import { useQuery } from '@tanstack/react-query';
import type { PlatformTicketClass } from '@turnout/client';
import { Checkbox, Form, Notice, Select, Submit, useWords } from '@turnout/ui';
import { call } from '../../../../../frame/api.ts';
import { useEvent } from '../../../../../frame/event.tsx';
import { QueryResult } from '../../../../../frame/query-result.tsx';
import { DaysField } from '../../../../../parts/fields.tsx';
import { watchJob } from '../../../../../parts/job.tsx';
import { usePlatformEvents } from './platform-event.tsx';

interface Line {
  ticket_class: string;
  /** The code of the type; `-`: left out; empty: not yet decided. */
  type: string;
  days: string[];
}
const OUT = '-';

/** What the tickets of the platform become here. Nothing is left out by accident: each class needs a decision. */
export function TicketClasses(props: { connection: string; source: string; onStarted: (job: string) => void }) {
  const { base } = useEvent();
  const { connection, source } = props;
  const classes = useQuery({
    queryKey: ['askPlatformTicketClasses', { org: base.org, connection, source }],
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      call('askPlatformTicketClasses', { org: base.org, connection, body: { source_event: source } }, { signal }),
  });
  return <QueryResult query={classes}>{({ data }) => <Mapping {...props} classes={data} />}</QueryResult>;
}

function Mapping({
  connection,
  source,
  classes,
  onStarted,
}: {
  connection: string;
  source: string;
  classes: readonly PlatformTicketClass[];
  onStarted: (job: string) => void;
}) {
  const t = useWords('import');
  const { base, types, days, event } = useEvent();
  const { data: events } = usePlatformEvents(base.org, connection);
  const chosen = events?.data.find(({ id }) => id === source);
  const guess = (name: string): string =>
    types.find((type) => [type.name, type.code].some((one) => one.toLowerCase() === name.toLowerCase()))?.code ??
    (types.length === 1 ? types[0]!.code : '');
  const values = {
    mapping: classes.map(({ id, name }): Line => ({ ticket_class: id, type: guess(name), days: [] })),
    send_emails: false,
  };
  return (
    <Form
      values={values}
      careless
      submit={({ mapping, send_emails }, { key }) =>
        call(
          'startPlatformImport',
          {
            ...base,
            body: {
              ...{ connection, source_event: source, send_emails },
              mapping: mapping.map(({ ticket_class, type, days: on }) => ({
                ticket_class,
                attendee_type: type === OUT ? null : type,
                ...(type !== OUT && on.length > 0 && { days: on }),
              })),
            },
          },
          { key },
        )
      }
      done={(job) => {
        watchJob({
          ...{ org: base.org, job: job.id, title: t('platformJob', { name: chosen?.name ?? source }) },
          href: `/app/${base.org}/events/${base.event}/people/import/platform?step=take&job=${job.id}`,
        });
        onStarted(job.id);
      }}
    >
      {({ values: { mapping }, set, field, faultsIn }) => {
        const faults = faultsIn('mapping');
        const change = (i: number, more: Partial<Line>) =>
          set({ mapping: mapping.map((line, n) => (n === i ? { ...line, ...more } : line)) });
        return (
          <>
            <p className="soft">{t('classesLead', { source: chosen?.name ?? source, name: event.name })}</p>
            {chosen?.currency != null && chosen.currency !== event.currency && (
              <Notice tone="warn">{t('currencyDiffers', { theirs: chosen.currency, ours: event.currency })}</Notice>
            )}
            <ul className="platform-classes">
              {classes.map(({ id, name, sold }, i) => {
                const line = mapping[i]!;
                const type = types.find(({ code }) => code === line.type);
                return (
                  <li key={id}>
                    <div>
                      <strong>
                        <bdi>{name}</bdi>
                      </strong>
                      <div className="soft small">{t('sold', { count: sold })}</div>
                    </div>
                    <Select
                      label={t('becomes', { name })}
                      name={`mapping/${i}/attendee_type`}
                      empty={t('decide')}
                      value={line.type}
                      onChange={(next) => change(i, { type: next, days: [] })}
                      fault={faults[`${i}/attendee_type`]}
                      options={[
                        ...types.map(({ code, name: label }) => ({ value: code, label })),
                        { value: OUT, label: t('leaveOut') },
                      ]}
                    />
                    {type !== undefined && days.length > 1 ? (
                      <DaysField
                        type={type}
                        name={`mapping/${i}/days`}
                        value={line.days}
                        onChange={(next) => change(i, { days: next })}
                        fault={faults[`${i}/days`]}
                      />
                    ) : (
                      <span />
                    )}
                  </li>
                );
              })}
            </ul>
            <Checkbox label={t('platformEmails')} hint={t('platformEmailsHint')} {...field('send_emails')} />
            <div className="buttons">
              <Submit>{t('platformStart')}</Submit>
            </div>
          </>
        );
      }}
    </Form>
  );
}
