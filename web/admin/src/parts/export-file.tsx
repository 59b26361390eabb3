import type { ExportCreate } from '@turnout/client';
import { Menu, ProblemNotice, useWords } from '@turnout/ui';
import { useAction } from '../frame/action.ts';
import { call } from '../frame/api.ts';
import { useEvent } from '../frame/event.tsx';
import { useOrganization } from '../frame/organization.tsx';
import { JobProgress, watchJob } from './job.tsx';
import { useFilters } from './use-filters.ts';

/** Makes a file of what the screen shows. The job stands in the address, so that it is there again after a reload. */
export function ExportFile({ what, filter }: { what: ExportCreate['what']; filter?: ExportCreate['filter'] }) {
  const t = useWords('parts');
  const { may, org } = useOrganization();
  const { event } = useEvent();
  const { set } = useFilters();
  const make = useAction(async (format: ExportCreate['format'], { key }: { key: string }) => {
    const body = { what, format, event: event.id, ...(filter !== undefined && { filter }) };
    const job = await call('createExport', { org, body }, { key });
    set({ job: job.id }, { quietly: true });
    watchJob({ org, job: job.id, title: t('exportFile'), href: window.location.pathname });
  });
  if (!may('people.export')) return null;
  return (
    <>
      <Menu
        label={t('exportFile')}
        button={{ busy: make.busy }}
        groups={[
          {
            items: (['xlsx', 'csv'] as const).map((format) => ({
              ...{ id: format, label: t(`exportAs.${format}`), onAction: () => void make.run(format) },
            })),
          },
        ]}
      >
        {t('exportFile')}
      </Menu>
      <ProblemNotice problem={make.problem} />
    </>
  );
}

/** How far the file is that was asked for on this screen. */
export function ExportProgress() {
  const t = useWords('parts');
  const { values } = useFilters();
  return values.job === undefined ? null : <JobProgress job={values.job} title={t('exportFile')} />;
}
