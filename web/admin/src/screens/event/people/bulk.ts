import { useWords } from '@turnout/ui';
import { call } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { watchJob } from '../../../parts/job.tsx';
import { useFilters } from '../../../parts/use-filters.ts';
import type { BulkAction, BulkExtras, BulkItems } from './bulk-items.ts';

export type { BulkAction } from './bulk-items.ts';

/** Starts a bulk action. Its progress is shown above the table, and its address can be sent and opened again. */
export function useStartBulk(): (
  action: BulkAction,
  items: BulkItems,
  extras: BulkExtras,
  options: { key: string },
) => Promise<void> {
  const t = useWords('people');
  const { base } = useEvent();
  const { set } = useFilters();
  return async (action, items, extras, { key }) => {
    const job = await call('startBulkAction', { ...base, body: { action, ...items, ...extras } }, { key });
    const href = new URL(location.href);
    href.searchParams.set('job', job.id);
    watchJob({ org: base.org, job: job.id, title: t(`bulk.${action}`), href: href.pathname + href.search });
    set({ job: job.id }, { quietly: true });
  };
}
