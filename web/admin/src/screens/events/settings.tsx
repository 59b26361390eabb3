import { Notice, Page, useWords } from '@turnout/ui';
import { useEffect, useRef } from 'react';
import { useEvent } from '../../frame/event.tsx';
import { useOrganization } from '../../frame/organization.tsx';
import { History } from '../../parts/history.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import './events.css';
import { AboutEvent } from './settings/about.tsx';
import { DoorRules } from './settings/door.tsx';
import { NextTime } from './settings/next-time.tsx';
import { RegistrationRules } from './settings/registration.tsx';
import { StateOfEvent } from './settings/state.tsx';
import { Tickets } from './settings/tickets.tsx';

/** Everything that holds for the event as a whole. `?part=` in the address leads to one of its parts. */
export default function Settings() {
  const t = useWords('events');
  const { event } = useEvent();
  const { may } = useOrganization();
  const { part } = useFilters().values;
  const parts = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (part === undefined) return;
    const wanted = [...(parts.current?.children ?? [])].find((one) => (one as HTMLElement).dataset.part === part);
    wanted?.scrollIntoView({ block: 'start' });
    wanted?.querySelector<HTMLElement>('input, select, textarea, button')?.focus({ preventScroll: true });
  }, [part]);
  return (
    <Page title={t('settings')} narrow>
      {!may('events.write') && <Notice>{t('readOnly')}</Notice>}
      <div className="stack" data-gap="large" ref={parts}>
        <div data-part="event">
          <AboutEvent />
        </div>
        <div data-part="registration">
          <RegistrationRules />
        </div>
        <div data-part="tickets">
          <Tickets />
        </div>
        <div data-part="door">
          <DoorRules />
        </div>
        <div data-part="next">
          <NextTime />
        </div>
        {may('events.write') && (
          <div data-part="state">
            <StateOfEvent />
          </div>
        )}
        <History object={event.id} />
      </div>
    </Page>
  );
}
