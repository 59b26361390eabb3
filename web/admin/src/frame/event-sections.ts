import type { Organization } from './organization.tsx';

type May = Organization['may'];

/** What an event sells beside its tickets. A screen of it is in the navigation once there is something, so that a small event stays small. */
export interface Sells {
  products: boolean;
  codes: boolean;
  limits: boolean;
}
const EVERYTHING: Sells = { products: true, codes: true, limits: true };

/** The sections of an event in their order, the screens of each, and who is offered each screen. The first screen stands for the section. */
const SECTIONS = [
  { id: 'overview', screens: [{ id: 'overview', to: '/$org/events/$event', offered: () => true }] },
  {
    id: 'people',
    screens: [
      { id: 'people', to: '/$org/events/$event/people', offered: (may: May) => may('people.read') },
      {
        id: 'registrations',
        to: '/$org/events/$event/people/registrations',
        offered: (may: May) => may('people.read'),
      },
      { id: 'import', to: '/$org/events/$event/people/import', offered: (may: May) => may('people.bulk') },
      { id: 'export', to: '/$org/events/$event/people/export', offered: (may: May) => may('people.export') },
    ],
  },
  {
    id: 'page',
    screens: [
      { id: 'look', to: '/$org/events/$event/page', offered: () => true },
      { id: 'questions', to: '/$org/events/$event/page/questions', offered: () => true },
    ],
  },
  {
    id: 'tickets',
    screens: [
      { id: 'types', to: '/$org/events/$event/tickets', offered: () => true },
      { id: 'days', to: '/$org/events/$event/tickets/days', offered: () => true },
      {
        id: 'products',
        to: '/$org/events/$event/tickets/products',
        offered: (_may: May, { products }: Sells) => products,
      },
      {
        id: 'codes',
        to: '/$org/events/$event/tickets/codes',
        offered: (may: May, { codes }: Sells) => codes && may('people.read'),
      },
      { id: 'limits', to: '/$org/events/$event/tickets/limits', offered: (_may: May, { limits }: Sells) => limits },
    ],
  },
  {
    id: 'messages',
    screens: [{ id: 'messages', to: '/$org/events/$event/messages', offered: (may: May) => may('people.bulk') }],
  },
  {
    id: 'checkIn',
    screens: [
      {
        id: 'desk',
        to: '/$org/events/$event/check-in/desk',
        offered: (may: May) => may('people.read') && may('door.scan'),
      },
      { id: 'scan', to: '/$org/events/$event/check-in/scan', offered: (may: May) => may('door.scan') },
      { id: 'live', to: '/$org/events/$event/check-in/live', offered: () => true },
      { id: 'points', to: '/$org/events/$event/check-in/points', offered: () => true },
      { id: 'devices', to: '/$org/events/$event/check-in/devices', offered: (may: May) => may('door.devices') },
      { id: 'checkIns', to: '/$org/events/$event/check-in/check-ins', offered: (may: May) => may('door.scan') },
      { id: 'attendance', to: '/$org/events/$event/check-in/attendance', offered: () => true },
      {
        id: 'reconciliation',
        to: '/$org/events/$event/check-in/reconciliation',
        offered: (may: May) => may('door.scan'),
      },
      { id: 'test', to: '/$org/events/$event/check-in/test', offered: (may: May) => may('door.scan') },
    ],
  },
  {
    id: 'money',
    screens: [{ id: 'money', to: '/$org/events/$event/money', offered: (may: May) => may('people.read') }],
  },
  { id: 'reports', screens: [{ id: 'reports', to: '/$org/events/$event/reports', offered: () => true }] },
  {
    id: 'settings',
    screens: [{ id: 'settings', to: '/$org/events/$event/settings', offered: (may: May) => may('events.write') }],
  },
] as const;

export type SectionId = (typeof SECTIONS)[number]['id'];
export type SectionScreen = (typeof SECTIONS)[number]['screens'][number];
export interface Section {
  id: SectionId;
  /** At least one. */
  screens: readonly SectionScreen[];
}

/** The sections and screens that a member with these permissions is offered in an event that sells this. */
export const sectionsFor = (may: May, sells: Sells = EVERYTHING): Section[] =>
  SECTIONS.map(({ id, screens }) => ({
    id,
    screens: (screens as readonly SectionScreen[]).filter(({ offered }) => offered(may, sells)),
  })).filter(({ screens }) => screens.length > 0);

/** What a path below `/app` has after the event's address: `/acme/events/fair/check-in/desk` has `check-in/desk`. */
const belowEvent = (path: string): string => path.split('/').slice(4).join('/').replace(/\/$/, '');

/** The section and the screen in it that an address belongs to: a single person belongs to the list of people. */
export function screenAt(
  sections: readonly Section[],
  path: string,
): { section: Section; screen: SectionScreen } | null {
  const here = belowEvent(path);
  const all = sections.flatMap((section) => section.screens.map((screen) => ({ section, screen })));
  const covers = ({ screen }: (typeof all)[number]) => {
    const below = belowEvent(screen.to);
    return below === here || (below !== '' && here.startsWith(`${below}/`));
  };
  const length = ({ screen }: (typeof all)[number]) => screen.to.length;
  return all.filter(covers).toSorted((a, b) => length(b) - length(a))[0] ?? null;
}
