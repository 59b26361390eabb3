import type { Overview, OverviewEvent } from '@turnout/contract';
import { toUlid } from '../../common/ids.ts';
import type { PageLinks } from '../../common/page-links.ts';
import type { Caller } from '../../road/caller.ts';
import type { Work } from '../../road/operation.ts';
import { eventsByTime, type TimedEvent } from '../events/index.ts';
import { countsOfEvents, type EventCounts } from '../registrations/index.ts';
import { countTroubled } from '../webhooks/index.ts';

const MAX_EVENTS = 100;

/** One screen's worth. The number of statements does not depend on the number of events. */
export async function overview(work: Work): Promise<Overview> {
  const { tx, caller, links } = work;
  const [found, troubled] = await Promise.all([
    eventsByTime(tx, caller, MAX_EVENTS + 1),
    maySeeWebhooks(caller) ? countTroubled(tx, caller) : NONE,
  ]);
  const events = found.slice(0, MAX_EVENTS);
  const counts = await countsOfEvents(work, events);
  const cap = caller.plan.limits.attendees_per_event;
  return {
    events: events.map((event) => shape(event, counts.get(event.id)!, cap, links)),
    more: found.length > MAX_EVENTS,
    failing_webhooks: troubled.failing,
    paused_webhooks: troubled.pausedByPlan,
  };
}

const NONE = { failing: 0, pausedByPlan: 0 };

const maySeeWebhooks = ({ actor }: Caller): boolean =>
  actor.kind !== 'member' || actor.permissions.includes('tenant.integrations');

function shape(event: TimedEvent, counts: EventCounts, cap: number | null, links: PageLinks): OverviewEvent {
  return {
    id: toUlid(event.id),
    code: event.code,
    name: event.name,
    status: event.status,
    test: event.test,
    timezone: event.timezone,
    starts_at: event.starts_at,
    ends_at: event.ends_at,
    venue: event.venue,
    image: event.image_id === null ? null : links.picture(event, event.image_id, 'tiny'),
    when: event.when,
    capacity: capacityOf(event.capacity, cap, counts.taken + counts.held),
    ...counts,
  };
}

/** How full an event is cannot be told by a limit that nobody chose, so the plan's counts only where it is lower, or near. */
const capacityOf = (own: number | null, cap: number | null, taken: number): number | null => {
  if (cap === null) return own;
  if (own !== null) return Math.min(own, cap);
  return taken >= cap / 2 ? cap : null;
};
