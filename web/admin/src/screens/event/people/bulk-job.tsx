import { Link } from '@tanstack/react-router';
import type { Job } from '@turnout/client';
import { Button, ProblemNotice, Table, useAllWords, useWords } from '@turnout/ui';
import { useEffect, useState } from 'react';
import { useRefresh } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { useOrganization } from '../../../frame/organization.tsx';
import { Download, JobProgress, useJob, useRejects } from '../../../parts/job.tsx';
import { useFilters } from '../../../parts/use-filters.ts';

/** How far a bulk action is, and what did not work and why. Lists follow when it is over. */
export default function BulkJob({ job }: { job: string }) {
  const t = useWords('common');
  const { org } = useOrganization();
  const words = useAllWords();
  const refresh = useRefresh();
  const { set } = useFilters();
  const { data, error } = useJob(org, job);
  const title = words.find('people', `bulk.${data?.what ?? ''}`);
  const close = (
    <Button size="small" onClick={() => set({ job: undefined }, { quietly: true })}>
      {t('close')}
    </Button>
  );
  return (
    <>
      <JobProgress
        job={job}
        {...(title !== null && { title })}
        onOver={() => void refresh('listAttendees', 'listRegistrations', 'getEventSummary', 'getAttendee')}
        withoutRejects
        actions={(over) => (
          <>
            {over.rejects_url !== null && <Download url={over.rejects_url} file="rejects" />}
            {close}
          </>
        )}
      />
      {data !== undefined && data.rejects_url !== null && <Failed job={data} />}
      {data === undefined && error !== null && <div className="buttons">{close}</div>}
    </>
  );
}

const SHOWN = 100;

/** Who it did not work for, each with the reason and a link to them. All of them are in the file. */
function Failed({ job }: { job: Job }) {
  const t = useWords('people');
  const p = useWords('parts');
  const { data, error } = useRejects(job);
  const reasonText = useRefusals();
  if (data === undefined) return <ProblemNotice problem={error} />;
  const at = (name: string) => data.head.indexOf(name);
  const [id, code, name, refusal, message] = [at('ID'), at('Registration'), at('Name'), at('Code'), at('Message')];
  const rows = data.rows.slice(0, SHOWN);
  return (
    <section className="stack" data-gap="small" aria-label={p('rejects')}>
      <h2>{p('rejects')}</h2>
      <Table
        label={p('rejects')}
        rows={rows}
        keyOf={(row) => row.join()}
        columns={[
          {
            ...{ id: 'name', head: t('name') },
            cell: (row) => (
              <Item
                what={job.what}
                id={row[id] ?? ''}
                code={row[code] ?? ''}
                name={row[name]?.replace(/^'/, '') || (row[code] ?? '')}
              />
            ),
          },
          { id: 'code', head: t('registration'), cell: (row) => <code>{row[code]}</code> },
          { id: 'reason', head: t('reason'), cell: (row) => reasonText(row[refusal] ?? '', row[message] ?? '') },
        ]}
      />
      {data.rows.length > rows.length && (
        <p className="soft small">{p('rejectsMore', { count: data.rows.length - rows.length })}</p>
      )}
    </section>
  );
}

const ABOUT_PEOPLE = ['send_tickets', 'reissue', 'change'];

function Item({ what, id, code, name }: { what: string | null; id: string; code: string; name: string }) {
  const { base } = useEvent();
  return ABOUT_PEOPLE.includes(what ?? '') ? (
    <Link className="row-link" to="/$org/events/$event/people/$attendee" params={{ ...base, attendee: id }}>
      <bdi>{name}</bdi>
    </Link>
  ) : (
    <Link
      className="row-link"
      to="/$org/events/$event/people/registrations/$registration"
      params={{ ...base, registration: code || id }}
    >
      <bdi>{name}</bdi>
    </Link>
  );
}

/** Why something was refused: the server's sentence in English, which is more exact, else what its code means. */
function useRefusals(): (code: string, message: string) => string {
  const words = useAllWords();
  const [, setReady] = useState(false);
  useEffect(() => {
    words.need('refusals').then(
      () => setReady(true),
      () => {},
    );
  }, [words]);
  return (code, message) => (words.language === 'en' ? message : (words.find('refusals', code) ?? message));
}
