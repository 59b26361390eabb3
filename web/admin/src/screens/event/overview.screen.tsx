import { Page, ProblemNotice, Skeleton, useWords } from '@turnout/ui';
import { useCall } from '../../frame/api.ts';
import { useEvent } from '../../frame/event.tsx';
import { useOrganization } from '../../frame/organization.tsx';
import '../events/events.css';
import { Checklist } from './overview/checklist.tsx';
import { Figures } from './overview/figures.tsx';
import { PageLink } from './overview/page-link.tsx';
import { Places } from './overview/places.tsx';
import { Trend } from './overview/trend.tsx';

/** The counts are cheap, and whoever has this page open wants to see them grow. */
const REFRESH_MS = 10_000;

/** How an event stands: what is missing before it can be published, how full it is, what waits for somebody. */
export default function Overview() {
  const t = useWords('events');
  const { may } = useOrganization();
  const { event, base } = useEvent();
  // Counts of people are for those who may see people.
  const reads = { enabled: may('people.read'), every: REFRESH_MS };
  const availability = useCall('getAvailability', base, reads);
  const summary = useCall('getEventSummary', base, reads);
  const problem = availability.error ?? summary.error;
  const waiting = reads.enabled && problem === null && (!availability.data || !summary.data);
  const anybody = summary.data !== undefined && Object.values(summary.data.people).some((count) => count > 0);
  return (
    <Page title={t('overview')}>
      {event.status === 'draft' && <Checklist />}
      <ProblemNotice problem={problem} />
      {waiting && <Skeleton lines={6} />}
      {summary.data && (event.status !== 'draft' || anybody) && <Figures summary={summary.data} />}
      {event.status !== 'archived' && <PageLink />}
      <div className="overview-columns">
        {availability.data && <Places availability={availability.data} />}
        {(event.status !== 'draft' || anybody) && <Trend />}
      </div>
    </Page>
  );
}
