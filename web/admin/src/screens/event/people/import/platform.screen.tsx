import { Link } from '@tanstack/react-router';
import { Page, useWords } from '@turnout/ui';
import { useEffect } from 'react';
import { useEvent } from '../../../../frame/event.tsx';
import { JobProgress } from '../../../../parts/job.tsx';
import { useFilters } from '../../../../parts/use-filters.ts';
import { TicketClasses } from './platform/platform-classes.tsx';
import { Connect } from './platform/platform-connect.tsx';
import { SourceEvent } from './platform/platform-event.tsx';
import { Steps } from './steps.tsx';
import { useImport } from './use-import.ts';

const STEPS = ['connect', 'event', 'classes', 'take'] as const;
type Step = (typeof STEPS)[number];

/** Takes the people of an event over from another platform: connect, choose the event there, say what its tickets are here, start. */
export default function PlatformImport() {
  const t = useWords('import');
  const { base } = useEvent();
  const { values, set } = useFilters();
  const { connection, source, job } = values;
  const { afterwards } = useImport();
  const wanted = STEPS.find((step) => step === values.step) ?? 'connect';
  const open = (step: Step): boolean =>
    step === 'connect' ||
    (step === 'event' && connection !== undefined) ||
    (step === 'classes' && connection !== undefined && source !== undefined) ||
    (step === 'take' && job !== undefined);
  const here: Step = open(wanted) ? wanted : 'connect';
  useEffect(() => {
    if (here !== wanted) set({ step: here }, { quietly: true });
  });
  return (
    <Page
      title={t('platform')}
      lead={t('platformLead')}
      crumb={
        <Link to="/$org/events/$event/people/import" params={base}>
          {t('title')}
        </Link>
      }
    >
      <Steps
        label={t('steps')}
        here={here}
        open={open}
        steps={STEPS.map((id) => ({ id, name: t(`platformStep.${id}`) }))}
      />
      {here === 'connect' && (
        <Connect onChoose={(chosen) => set({ step: 'event', connection: chosen, source: undefined })} />
      )}
      {here === 'event' && connection !== undefined && (
        <SourceEvent connection={connection} onChoose={(chosen) => set({ step: 'classes', source: chosen })} />
      )}
      {here === 'classes' && connection !== undefined && source !== undefined && (
        <TicketClasses
          key={`${connection} ${source}`}
          connection={connection}
          source={source}
          onStarted={(started) => set({ step: 'take', job: started })}
        />
      )}
      {here === 'take' && job !== undefined && (
        <div className="stack">
          <JobProgress
            job={job}
            title={t('platformRunning')}
            onOver={() => void afterwards()}
            actions={() => (
              <Link className="button" data-kind="main" to="/$org/events/$event/people" params={base}>
                {t('toPeople')}
              </Link>
            )}
          />
          <p className="soft small">{t('platformAgain')}</p>
        </div>
      )}
    </Page>
  );
}
