import { Link, useLocation } from '@tanstack/react-router';
import {
  BuildingIcon,
  Button,
  CalendarIcon,
  ChevronIcon,
  CodeIcon,
  HomeIcon,
  Mark,
  Menu,
  MenuIcon,
  PeopleIcon,
  PersonIcon,
  SearchIcon,
  TreeIcon,
  useWords,
} from '@turnout/ui';
import { type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { InShell, PaletteContext, type ShellPlaces, ShellPlacesContext } from './in-shell.ts';
import { useAccountMenu, useOrganizationMenu, useOwnLanguage } from './menus.ts';
import { type Organization, OrganizationContext } from './organization.tsx';
import { words } from './words.ts';

/**
 * Navigation, organization and account around a screen. Inside an event, the event's own navigation takes the place of the organization's.
 * On a phone the navigation folds into a menu.
 */
export function Shell({ children }: { children: ReactNode }) {
  const t = useWords('common');
  const organization = useContext(OrganizationContext);
  const [open, setOpen] = useState(false);
  // Only the path: a letter in a filter changes the address, too, and the shell has nothing to do with it.
  const pathname = useLocation({ select: (location) => location.pathname });
  useOwnLanguage();
  // While the server answers: what has to be said when it does not cannot be fetched any more.
  useEffect(() => void words.need('refusals').catch(() => {}), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever has gone somewhere wants to see it
  useEffect(() => setOpen(false), [pathname]);
  const { places, isTaken, refs } = usePlaces(() => setOpen(true));
  const side = useMenuFocus(open, () => setOpen(false));
  return (
    <InShell value={true}>
      <ShellPlacesContext value={places}>
        <div className="shell">
          <a className="button skip" href="#content">
            {t('skip')}
          </a>
          <header className="shell-head">
            {organization?.organization.sandbox && <div className="shell-strip">{t('sandbox')}</div>}
            {organization?.license?.read_only && (
              <div className="shell-strip" role="status">
                {t('readOnly')}
              </div>
            )}
            <div className="shell-top">
              <Button
                kind="quiet"
                size="icon"
                aria-label={t('menu')}
                aria-expanded={open}
                onClick={() => setOpen(!open)}
              >
                <MenuIcon />
              </Button>
              {!isTaken && <span className="clip">{organization?.organization.name ?? 'Turnout'}</span>}
              <div className="shell-place" ref={refs.top} />
            </div>
          </header>
          <div className="shell-side" data-open={open} ref={side}>
            <OrganizationSwitcher />
            {organization !== null && <FindAnything />}
            <div className="shell-scroll">
              {!isTaken && (organization === null ? <WayBack /> : <Navigation organization={organization} />)}
              <div className="shell-place" ref={refs.side} />
            </div>
            <AccountMenu />
          </div>
          <main className="shell-main" id="content" tabIndex={-1}>
            {children}
          </main>
          <div className="shell-place" ref={refs.bar} />
        </div>
      </ShellPlacesContext>
    </InShell>
  );
}

/** The menu of a phone: it gets the focus when it is opened, Escape closes it, and the focus goes back to what had opened it. */
function useMenuFocus(open: boolean, close: () => void) {
  const side = useRef<HTMLDivElement>(null);
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    if (!open) return;
    const opener = document.activeElement;
    side.current?.querySelector<HTMLElement>('a, button')?.focus();
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      latest.current();
      if (opener instanceof HTMLElement) opener.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [open]);
  return side;
}

/** The places in the shell that the frame of an event fills, and whether it does. */
function usePlaces(openMenu: () => void) {
  const [side, setSide] = useState<HTMLElement | null>(null);
  const [top, setTop] = useState<HTMLElement | null>(null);
  const [bar, setBar] = useState<HTMLElement | null>(null);
  const [isTaken, setTaken] = useState(false);
  const take = useCallback(() => {
    setTaken(true);
    return () => setTaken(false);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: opening the menu does the same thing each time
  const places = useMemo<ShellPlaces>(() => ({ side, top, bar, openMenu, take }), [side, top, bar, take]);
  return { places, isTaken, refs: { side: setSide, top: setTop, bar: setBar } };
}

function Navigation({ organization: { org, may } }: { organization: Organization }) {
  const t = useWords('common');
  return (
    <nav className="shell-nav" aria-label={t('navigation')}>
      <Link to="/$org" params={{ org }} activeOptions={{ exact: true }}>
        <HomeIcon /> {t('navHome')}
      </Link>
      {may('events.read') && (
        <Link to="/$org/events" params={{ org }}>
          <CalendarIcon /> {t('navEvents')}
        </Link>
      )}
      {may('people.read') && (
        <Link to="/$org/contacts" params={{ org }}>
          <PersonIcon /> {t('navContacts')}
        </Link>
      )}
      {may('tenant.groups') && (
        <Link to="/$org/groups" params={{ org }}>
          <TreeIcon /> {t('navGroups')}
        </Link>
      )}
      {may('tenant.members') && (
        <Link to="/$org/team" params={{ org }}>
          <PeopleIcon /> {t('navTeam')}
        </Link>
      )}
      {(may('tenant.api_keys') || may('tenant.integrations') || may('tenant.audit')) && (
        <Link to="/$org/developers" params={{ org }}>
          <CodeIcon /> {t('navDevelopers')}
        </Link>
      )}
      {may('tenant.settings') && (
        <Link to="/$org/organization" params={{ org }}>
          <BuildingIcon /> {t('navOrganization')}
        </Link>
      )}
    </nav>
  );
}

/** Outside of an organization: back to the one that was used last. */
function WayBack() {
  const t = useWords('common');
  return (
    <nav className="shell-nav" aria-label={t('navigation')}>
      <Link to="/">
        <HomeIcon /> {t('navHome')}
      </Link>
    </nav>
  );
}

function FindAnything() {
  const t = useWords('common');
  const open = useContext(PaletteContext);
  if (open === null) return null;
  return (
    <button type="button" className="shell-item" onClick={open} aria-keyshortcuts="Control+K Meta+K">
      <SearchIcon />
      <span className="clip">{t('findAnything')}</span>
      <kbd>{navigator.platform.startsWith('Mac') ? '⌘K' : 'Ctrl K'}</kbd>
    </button>
  );
}

function OrganizationSwitcher() {
  const t = useWords('common');
  const organization = useContext(OrganizationContext);
  const groups = useOrganizationMenu(organization);
  const name = organization?.organization.name ?? 'Turnout';
  return (
    <Menu label={`${t('switchOrganization')}: ${name}`} groups={groups} button={{ className: 'shell-item' }}>
      <Mark name={name} />
      <span className="clip">{name}</span>
      <ChevronIcon />
    </Menu>
  );
}

function AccountMenu() {
  const t = useWords('common');
  const { name, groups } = useAccountMenu();
  return (
    <Menu label={`${t('accountMenu')}: ${name}`} groups={groups} button={{ className: 'shell-item' }}>
      <Mark name={name} round />
      <span className="clip">{name}</span>
      <ChevronIcon />
    </Menu>
  );
}
