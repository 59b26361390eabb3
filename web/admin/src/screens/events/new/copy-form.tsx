import type { EventTemplate, Job } from '@turnout/client';
import { Checkbox, Facts, Form, Submit, TextField, toast, useFormats, useWords } from '@turnout/ui';
import { useState } from 'react';
import { call, useRefresh } from '../../../frame/api.ts';
import { useOrganization } from '../../../frame/organization.tsx';
import { DateField, GroupField } from '../../../parts/fields.tsx';
import '../../../parts/fold.css';
import { JobProgress } from '../../../parts/job.tsx';
import { useOpenEvent } from '../use-open-event.ts';
import { firstDay, nextName, nextYear } from './template.ts';

interface Values {
  name: string;
  first_day: string;
  group: string;
  test: boolean;
}

/**
 * Makes an event from a template. `again`: the template is an event of ours, which is to take place once more; then name and first day
 * are proposed for a year later. From a file they are as the file has them.
 */
export function CopyForm({ template, again }: { template: EventTemplate; again: boolean }) {
  const t = useWords('events');
  const { org, member } = useOrganization();
  const [job, setJob] = useState<string | null>(null);
  const follow = useFollow();
  const first = firstDay(template);
  const proposed = again && first !== null ? nextYear(first, new Date().toISOString().slice(0, 10)) : (first ?? '');
  const values: Values = {
    name: again ? nextName(template.event.name, first, proposed) : template.event.name,
    first_day: proposed,
    group: template.event.group ?? member.group ?? '',
    test: false,
  };
  if (job !== null) return <JobProgress job={job} title={t('copying')} onOver={(over) => void follow(over)} />;
  return (
    <Form
      values={values}
      places={{ 'event/name': 'name', 'event/first_day': 'first_day', 'event/group': 'group' }}
      submit={({ name, first_day, group, test }, { key }) =>
        call(
          'importEventTemplate',
          {
            org,
            body: {
              template,
              event: {
                name: name.trim(),
                group: group === '' ? null : group,
                ...(first_day !== '' && { first_day }),
                ...(test && { test }),
              },
            },
          },
          { key },
        )
      }
      done={async (made) => {
        // A server of a later version may take its time.
        if (!(await follow(made))) setJob(made.id);
      }}
    >
      {({ field }) => (
        <>
          <TemplateFacts template={template} />
          <TextField label={t('name')} maxLength={200} {...field('name')} />
          {first !== null && <DateField label={t('firstDay')} hint={t('firstDayHint')} {...field('first_day')} />}
          <details className="fold" {...(field('group').fault !== undefined && { open: true })}>
            <summary>{t('moreFields')}</summary>
            <div className="form events-more">
              <GroupField {...field('group')} />
              <Checkbox label={t('asTest')} hint={t('asTestHint')} {...field('test')} />
            </div>
          </details>
          <div className="buttons">
            <Submit>{t('create')}</Submit>
          </div>
        </>
      )}
    </Form>
  );
}

/** Goes to the event that a job has made, once it is there. */
function useFollow(): (job: Job) => Promise<boolean> {
  const t = useWords('events');
  const { org } = useOrganization();
  const refresh = useRefresh();
  const open = useOpenEvent('/$org/events/$event');
  return async ({ status, event_id }) => {
    if (status !== 'succeeded' || event_id === null) return false;
    // Its code makes the nicer address; by its id it is found all the same.
    const event = await call('getEvent', { org, event: event_id }).catch(() => null);
    toast(event === null ? t('createdOne') : t('created', { name: event.name }), 'good');
    open(event?.code ?? event_id);
    void refresh('listEvents', 'getOverview');
    return true;
  };
}

/** What the new event will consist of, so that nobody takes the wrong file. */
function TemplateFacts({
  template: { event, days, attendee_types, questions, check_in_points },
}: {
  template: EventTemplate;
}) {
  const t = useWords('events');
  const formats = useFormats();
  const parts = [
    t('countDays', { count: days.length }),
    t('countTypes', { count: attendee_types.length }),
    t('countQuestions', { count: questions.length }),
    t('countPoints', { count: check_in_points.length }),
  ];
  return <Facts facts={[[t('takenOver'), <span key="what">{`${event.name}: ${formats.list(parts)}`}</span>]]} />;
}
