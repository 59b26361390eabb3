import type { Overview } from '@turnout/client';
import { Notice, Page, rich, useWords } from '@turnout/ui';
import { useEffect } from 'react';
import { useCall } from '../frame/api.ts';
import { useOrganization } from '../frame/organization.tsx';
import { QueryResult } from '../frame/query-result.tsx';
import { CreateEvent } from './home/create-event.tsx';
import { Empty } from './home/empty.tsx';
import { Events } from './home/events.tsx';
import './home/home.css';
import { ToDo } from './home/to-do.tsx';

const REFRESH_MS = 15_000;

export default function Home() {
  const t = useWords('home');
  const { org, organization } = useOrganization();
  const overview = useCall('getOverview', { org });
  // Without any event, the first of the three steps has the button.
  const isFilled = overview.data !== undefined && overview.data.events.length > 0;
  useEvery(REFRESH_MS, overview.refetch);
  return (
    <Page title={t('title')} actions={<div className="home-create">{isFilled && <CreateEvent />}</div>}>
      {organization.sandbox && (
        <Notice title={t('sandboxTitle')}>
          {rich(t('sandboxText'), { docs: (inner) => <a href="/docs">{inner}</a> })}
        </Notice>
      )}
      <div className="stack home" data-gap="large">
        <QueryResult query={overview}>{(data) => <Content overview={data} />}</QueryResult>
      </div>
    </Page>
  );
}

function Content({ overview }: { overview: Overview }) {
  const of = (when: 'now' | 'next' | 'past') => overview.events.filter((event) => event.when === when);
  if (overview.events.length === 0)
    return (
      <>
        <ToDo overview={overview} quiet />
        <Empty />
      </>
    );
  return (
    <>
      <ToDo overview={overview} />
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
