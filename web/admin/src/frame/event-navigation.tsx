import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { ChevronIcon, Menu, useWords } from '@turnout/ui';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useEvent } from './event.tsx';
import { type Organization, useOrganization } from './organization.tsx';

type May = Organization['may'];

/** The screens of an event in their order, and who is offered each. */
const SCREENS = [
  ['overview', '/$org/events/$event', () => true],
  ['people', '/$org/events/$event/people', (may: May) => may('people.read')],
  ['registrations', '/$org/events/$event/registrations', (may: May) => may('people.read')],
  ['payments', '/$org/events/$event/payments', (may: May) => may('people.read')],
  ['messages', '/$org/events/$event/messages', (may: May) => may('people.bulk')],
  ['form', '/$org/events/$event/form', () => true],
  ['door', '/$org/events/$event/door', () => true],
  ['desk', '/$org/events/$event/desk', (may: May) => may('people.read') && may('door.scan')],
  ['reports', '/$org/events/$event/reports', () => true],
  ['import', '/$org/events/$event/import', (may: May) => may('people.bulk')],
  ['export', '/$org/events/$event/export', (may: May) => may('people.export')],
  ['settings', '/$org/events/$event/settings', (may: May) => may('events.write')],
] as const;

/** The screens of an event that this member is offered. */
export const offeredScreens = (may: May) => SCREENS.filter(([, , offered]) => offered(may));

/** A row of links. Those for which there is no room are in a menu at its end; on a phone it is one menu. */
export function EventNavigation() {
  const t = useWords('parts');
  const { may } = useOrganization();
  const { base } = useEvent();
  const pathname = useLocation({ select: (location) => location.pathname });
  const navigate = useNavigate();
  const row = useRef<HTMLElement>(null);
  const screens = offeredScreens(may);
  const addressOf = (to: string) => to.replace('$org', base.org).replace('$event', base.event);
  const isHere = ([id, to]: (typeof SCREENS)[number]) =>
    id === 'overview' ? pathname === addressOf(to) : `${pathname}/`.startsWith(`${addressOf(to)}/`);
  const fitting = useFitting(row, screens.length, screens.findIndex(isHere));
  const [shown, hidden] = [screens.slice(0, fitting), screens.slice(fitting)];
  const here = screens.find(isHere);
  const phone = fitting === 0;
  return (
    <nav className="tabs event-nav" data-phone={phone || undefined} aria-label={t('eventNavigation')} ref={row}>
      {shown.map(([id, to]) => (
        <Link key={id} to={to} params={base} activeOptions={{ exact: id === 'overview' }}>
          {t(`nav.${id}`)}
        </Link>
      ))}
      {hidden.length > 0 && (
        <Menu
          label={phone && here !== undefined ? t('navHere', { screen: t(`nav.${here[0]}`) }) : t('navMore')}
          button={{ kind: phone ? 'usual' : 'quiet', size: 'small', className: 'button event-nav-more' }}
          groups={[
            {
              items: hidden.map((one) => ({
                id: one[0],
                label: t(`nav.${one[0]}`),
                onAction: () => void navigate({ to: one[1], params: base }),
                chosen: isHere(one),
              })),
            },
          ]}
        >
          {here !== undefined && (phone || hidden.includes(here)) ? t(`nav.${here[0]}`) : t('navMore')}
          <ChevronIcon />
        </Menu>
      )}
    </nav>
  );
}

const PHONE = 560;
/** The menu as it says “More”. */
const MENU = 90;
/** What it needs beside the name of a screen. */
const SIGN = 48;
const GAP = 24;

/**
 * How many links have room beside the menu. They are measured when all of them are drawn, which is at first and whenever their number,
 * the language or the fonts change; the browser paints only what came of it. `here`: which of them is open; if it has no room, the menu
 * says its name.
 */
function useFitting(row: RefObject<HTMLElement | null>, count: number, here: number): number {
  const t = useWords('parts');
  const [width, setWidth] = useState(0);
  const fonts = useFonts();
  const [measured, setMeasured] = useState<{ value: unknown; fonts: number; ends: number[] } | null>(null);
  const isCurrent = measured?.value === t && measured.fonts === fonts && measured.ends.length === count;
  const current = isCurrent ? measured.ends : null;
  useLayoutEffect(() => {
    const element = row.current!;
    const links = element.querySelectorAll('a');
    if (current === null && links.length === count)
      setMeasured({
        ...{ value: t, fonts },
        ends: Array.from(links, (link) => link.offsetLeft + link.offsetWidth - links[0]!.offsetLeft),
      });
    const look = () => setWidth(element.clientWidth);
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [row, count, t, fonts, current]);
  if (current === null || width === 0) return count;
  if (width < PHONE) return 0;
  if (current[count - 1]! <= width) return count;
  const beside = (menu: number) => Math.max(1, current.filter((end) => end + GAP + menu <= width).length);
  const fitting = beside(MENU);
  return here < fitting ? fitting : beside(Math.max(MENU, current[here]! - current[here - 1]! + SIGN));
}

/** Another number whenever fonts have been loaded: texts are then as wide as they stay. */
function useFonts(): number {
  const [times, setTimes] = useState(0);
  useEffect(() => {
    const count = () => setTimes((before) => before + 1);
    document.fonts.addEventListener('loadingdone', count);
    return () => document.fonts.removeEventListener('loadingdone', count);
  }, []);
  return times;
}
