import { Link } from '@tanstack/react-router';
import { Page, Tabs, useWords } from '@turnout/ui';
import { type ReactNode, useEffect } from 'react';
import { useEvent } from '../../frame/event.tsx';
import { type Organization, useOrganization } from '../../frame/organization.tsx';
import './door.css';

type May = Organization['may'];

const TABS = [
  ['scan', '/$org/events/$event/door', (may: May) => may('door.scan')],
  ['live', '/$org/events/$event/door/live', () => true],
  ['points', '/$org/events/$event/door/points', () => true],
  ['devices', '/$org/events/$event/door/devices', (may: May) => may('door.devices')],
  ['checkIns', '/$org/events/$event/door/check-ins', (may: May) => may('door.scan')],
  ['attendance', '/$org/events/$event/door/attendance', () => true],
  ['reconciliation', '/$org/events/$event/door/reconciliation', (may: May) => may('door.scan')],
  ['test', '/$org/events/$event/door/test', (may: May) => may('door.scan')],
] as const;

/** One of the screens of the door, with links to the others. */
export function DoorPage({
  title,
  lead,
  crumb,
  actions,
  children,
}: {
  title: string;
  lead?: ReactNode;
  crumb?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  const t = useWords('door');
  const { may } = useOrganization();
  const { base } = useEvent();
  // On a phone the row scrolls; the present one must not be outside of it.
  useEffect(() => {
    document.querySelector('.page .tabs [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, []);
  return (
    <Page
      title={title}
      {...(lead !== undefined && { lead })}
      {...(crumb !== undefined && { crumb })}
      {...(actions !== undefined && { actions })}
    >
      <Tabs label={t('title')}>
        {TABS.filter(([, , offered]) => offered(may)).map(([id, to]) => (
          <Link key={id} to={to} params={base} activeOptions={{ exact: id === 'scan', includeSearch: false }}>
            {t(id)}
          </Link>
        ))}
      </Tabs>
      {children}
    </Page>
  );
}
