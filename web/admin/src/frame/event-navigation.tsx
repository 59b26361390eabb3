import { Link, useLocation } from '@tanstack/react-router';
import type { Event } from '@turnout/client';
import {
  BackIcon,
  CardIcon,
  ChartIcon,
  GaugeIcon,
  MailIcon,
  MoreIcon,
  PageIcon,
  PeopleIcon,
  ScanIcon,
  SlidersIcon,
  Tabs,
  TicketIcon,
  useWords,
} from '@turnout/ui';
import { type ReactNode, useContext, useLayoutEffect, useMemo } from 'react';
import { createPortal } from 'react-dom';
import { EventPicture } from '../parts/event-picture.tsx';
import { StateBadge } from '../parts/status.tsx';
import { useEvent } from './event.tsx';
import { type Section, type SectionId, type SectionScreen, screenAt, sectionsFor } from './event-sections.ts';
import { useEventWhen } from './event-when.ts';
import { ShellPlacesContext } from './in-shell.ts';
import { useOrganization } from './organization.tsx';
import { useSectionsAhead } from './sections-ahead.ts';
import { useSells } from './sells.ts';

const ICONS: Readonly<Record<SectionId, () => ReactNode>> = {
  overview: GaugeIcon,
  people: PeopleIcon,
  page: PageIcon,
  tickets: TicketIcon,
  messages: MailIcon,
  checkIn: ScanIcon,
  money: CardIcon,
  reports: ChartIcon,
  settings: SlidersIcon,
};

/** What the bar at the bottom of a phone leads to: the sections that matter on the day. */
const ON_THE_DAY: readonly SectionId[] = ['overview', 'people', 'checkIn'];

/** The sections that this member is offered, and where somebody is among them. */
function useSections() {
  const { may } = useOrganization();
  // The path alone: a filter that changes the address does not change where somebody is.
  const path = useLocation({ select: (location) => location.pathname });
  const { products, codes, limits } = useSells();
  return useMemo(() => {
    // The screen on which somebody adds the first of something is there already.
    const isAt = (screen: string) => path.includes(`/tickets/${screen}`);
    const sections = sectionsFor(may, {
      products: products || isAt('products'),
      codes: codes || isAt('codes'),
      limits: limits || isAt('limits'),
    });
    return { sections, here: screenAt(sections, path) };
  }, [may, path, products, codes, limits]);
}

/** The event's own navigation, in the places that the shell has for it. */
export function EventNavigation() {
  const places = useContext(ShellPlacesContext);
  useLayoutEffect(() => places?.take(), [places?.take]);
  useSectionsAhead();
  if (places?.side == null || places.top === null || places.bar === null) return null;
  return (
    <>
      {createPortal(<Side />, places.side)}
      {createPortal(<Top />, places.top)}
      {createPortal(<Bar openMenu={places.openMenu} />, places.bar)}
    </>
  );
}

function Side() {
  const t = useWords('parts');
  const { event, base } = useEvent();
  const { sections, here } = useSections();
  return (
    <section className="event-side" aria-label={event.name}>
      <Link className="event-back" to="/$org/events" params={{ org: base.org }} {...NEVER_PRESENT}>
        <BackIcon /> {t('allEvents')}
      </Link>
      <EventName event={event} />
      <nav className="shell-nav" aria-label={t('eventNavigation')}>
        {sections.map((section) => (
          <SectionLinks key={section.id} section={section} here={here} />
        ))}
      </nav>
    </section>
  );
}

/** The router would call a link present for whatever lies below its address. */
const NEVER_PRESENT = { activeOptions: { exact: true }, activeProps: {} };

function EventName({ event }: { event: Event }) {
  const { base } = useEvent();
  const when = useEventWhen(event);
  return (
    <div className="event-name">
      <EventPicture event={event} size="small" />
      <div>
        <Link to="/$org/events/$event" params={base} {...NEVER_PRESENT}>
          <bdi>{event.name}</bdi>
        </Link>
        {when !== null && <small>{when}</small>}
        {(event.status !== 'published' || event.test) && (
          <span className="row">
            {event.status !== 'published' && <StateBadge kind="event" value={event.status} />}
            {event.test && <StateBadge kind="event" value="test" />}
          </span>
        )}
      </div>
    </div>
  );
}

type Here = { section: Section; screen: SectionScreen } | null;

/** A section; below the one in which somebody is, its screens. */
function SectionLinks({ section, here }: { section: Section; here: Here }) {
  const t = useWords('parts');
  const { base } = useEvent();
  const Icon = ICONS[section.id];
  const isHere = section.id === here?.section.id;
  const isOpen = isHere && section.screens.length > 1;
  return (
    <>
      <Link
        to={section.screens[0]!.to}
        params={base}
        activeOptions={{ exact: true, includeSearch: false }}
        activeProps={{ 'aria-current': undefined }}
        data-here={isHere || undefined}
        aria-current={isHere && !isOpen ? 'page' : undefined}
      >
        <Icon /> {t(`section.${section.id}`)}
      </Link>
      {isOpen && (
        <div className="event-screens">
          {section.screens.map((screen) => (
            <ScreenLink key={screen.id} screen={screen} here={here} />
          ))}
        </div>
      )}
    </>
  );
}

function ScreenLink({ screen, here }: { screen: SectionScreen; here: Here }) {
  const t = useWords('parts');
  const { base } = useEvent();
  return (
    <Link
      to={screen.to}
      params={base}
      activeOptions={{ exact: true, includeSearch: false }}
      activeProps={{}}
      aria-current={screen.id === here?.screen.id ? 'page' : undefined}
    >
      {t(`nav.${screen.id}`)}
    </Link>
  );
}

/** On a phone: the screens of the section in which somebody is, above its content. */
export function SectionTabs() {
  const t = useWords('parts');
  const { here } = useSections();
  if (here === null || here.section.screens.length < 2) return null;
  return (
    <div className="event-tabs">
      <Tabs label={t(`section.${here.section.id}`)}>
        {here.section.screens.map((screen) => (
          <ScreenLink key={screen.id} screen={screen} here={here} />
        ))}
      </Tabs>
    </div>
  );
}

/** On a phone: which event this is. */
function Top() {
  const { event, base } = useEvent();
  const when = useEventWhen(event);
  return (
    <Link className="event-top" to="/$org/events/$event" params={base} {...NEVER_PRESENT}>
      <EventPicture event={event} size="small" />
      <span>
        <bdi className="clip">{event.name}</bdi>
        {when !== null && <small className="clip">{when}</small>}
      </span>
    </Link>
  );
}

/** On a phone: the sections that matter on the day, and the menu with all others. */
function Bar({ openMenu }: { openMenu: () => void }) {
  const t = useWords('parts');
  const { base } = useEvent();
  const { sections, here } = useSections();
  return (
    <nav className="event-bar" aria-label={t('onTheDay')}>
      {sections
        .filter(({ id }) => ON_THE_DAY.includes(id))
        .map((section) => {
          const Icon = ICONS[section.id];
          return (
            <Link
              key={section.id}
              to={section.screens[0]!.to}
              params={base}
              activeOptions={{ exact: true, includeSearch: false }}
              activeProps={{}}
              aria-current={section.id === here?.section.id ? 'page' : undefined}
            >
              <Icon /> {t(`section.${section.id}`)}
            </Link>
          );
        })}
      <button type="button" onClick={openMenu}>
        <MoreIcon /> {t('navMore')}
      </button>
    </nav>
  );
}
