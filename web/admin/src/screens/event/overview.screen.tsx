import { ProblemNotice, Skeleton } from '@turnout/ui';
import { useRef } from 'react';
import { useCall } from '../../frame/api.ts';
import { useEvent } from '../../frame/event.tsx';
import { useOrganization } from '../../frame/organization.tsx';
import '../events/events.css';
import { Checklist } from './overview/checklist.tsx';
import { Feed } from './overview/feed.tsx';
import { Figures } from './overview/figures.tsx';
import { Hero } from './overview/hero.tsx';
import './overview/overview.css';
import { Places } from './overview/places.tsx';
import { Share } from './overview/share.tsx';
import { ToDo } from './overview/to-do.tsx';
import { Trend } from './overview/trend.tsx';

/** The counts are cheap, and whoever has this page open wants to see them grow. */
const REFRESH_MS = 10_000;

/** How an event stands. A draft: what is missing before it can be published. Afterwards: who comes, what is to be done, what just happened. */
export default function Overview() {
  const { event } = useEvent();
  const { share, isShared, goToShare } = useShare();
  const counts = useCounts();
  const isDraft = event.status === 'draft';
  // A draft may have people, such as imported ones. Without any there is nothing to show but zeros.
  const showsCounts = counts.mayRead && (!isDraft || counts.hasPeople);
  return (
    <div className="page overview">
      <Hero onShare={isShared && !isDraft ? goToShare : null} />
      {isDraft && <Checklist />}
      {!counts.isWaiting && <ProblemNotice problem={counts.problem} />}
      {showsCounts && (counts.summary !== undefined || counts.isWaiting) && <Figures summary={counts.summary} />}
      {/* Both columns are drawn together: a part that came later would move those below it. */}
      {showsCounts && counts.isWaiting ? (
        <Skeleton lines={12} />
      ) : (
        !(isDraft && !counts.hasPeople) && (
          <div className="overview-columns">
            <div>
              {counts.summary && <ToDo summary={counts.summary} availability={counts.availability} />}
              {isShared && <Share ref={share} />}
              {counts.activities && <Feed activities={counts.activities} />}
            </div>
            <div>
              {counts.availability && <Places availability={counts.availability} />}
              <Trend />
            </div>
          </div>
        )
      )}
    </div>
  );
}

/** Counts of people and what they did are for those who may see people. */
function useCounts() {
  const { may } = useOrganization();
  const { base } = useEvent();
  const mayRead = may('people.read');
  const reads = { enabled: mayRead, every: REFRESH_MS };
  const availability = useCall('getAvailability', base, reads);
  const summary = useCall('getEventSummary', base, reads);
  const activity = useCall('listActivity', { ...base, query: { limit: 8 } }, reads);
  const problem = availability.error ?? summary.error ?? activity.error;
  return {
    mayRead,
    // Told when nothing is awaited any more, so that nothing moves twice.
    problem,
    availability: availability.data,
    summary: summary.data,
    activities: activity.data?.data,
    isWaiting: [availability, summary, activity].some(({ isLoading }) => isLoading),
    hasPeople: summary.data !== undefined && Object.values(summary.data.people).some((count) => count > 0),
  };
}

/** The panel with the link, and how the button at the top leads to it. Only members see the page of a draft or of a test. */
function useShare() {
  const { event } = useEvent();
  const share = useRef<HTMLDivElement>(null);
  const isShared = (event.status === 'published' || event.status === 'closed') && !event.test;
  const goToShare = () => {
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    share.current?.scrollIntoView({ block: 'center', behavior: calm ? 'auto' : 'smooth' });
    share.current?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true });
  };
  return { share, isShared, goToShare };
}
