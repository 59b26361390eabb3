import type { Overview } from '@turnout/client';
import { Notice, Page, rich, useWords } from '@turnout/ui';
import { useEffect } from 'react';
import { useCall } from '../frame/api.ts';
import { useOrganization } from '../frame/organization.tsx';
import { QueryResult } from '../frame/query-result.tsx';
import { Empty } from './home/empty.tsx';
import { Events } from './home/events.tsx';
import { OpenTasks } from './home/open-tasks.tsx';
import './home/home.css';

const REFRESH_MS = 15_000;

export default function Home() {
  const t = useWords('home');
  const { org, organization } = useOrganization();
  const overview = useCall('getOverview', { org });
  useEvery(REFRESH_MS, overview.refetch);
  return (
    <Page title={t('title')}>
      {organization.sandbox && (
        <Notice title={t('sandboxTitle')}>
          {rich(t('sandboxText'), { docs: (inner) => <a href="/docs">{inner}</a> })}
        </Notice>
      )}
      <QueryResult query={overview}>{(data) => <Content overview={data} />}</QueryResult>
    </Page>
  );
}

function Content({ overview }: { overview: Overview }) {
  const of = (when: 'now' | 'next' | 'past') => overview.events.filter((event) => event.when === when);
  if (overview.events.length === 0)
    return (
      <>
        <OpenTasks overview={overview} quiet />
        <Empty />
      </>
    );
  return (
    <>
      <OpenTasks overview={overview} />
      <Events when="now" events={of('now')} />
      <Events when="next" events={of('next')} />
      <Events when="past" events={of('past')} more={overview.more} />
    </>
  );
}

/** Asks again while somebody looks at the page. */
function useEvery(ms: number, ask: () => unknown): void {
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && ask(), ms);
    return () => clearInterval(timer);
  }, [ms, ask]);
}
