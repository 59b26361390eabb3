import { Notice, Page, useWords } from '@turnout/ui';
import { useEvent } from '../../frame/event.tsx';
import { useOrganization } from '../../frame/organization.tsx';
import { History } from '../../parts/history.tsx';
import { usePart } from '../../parts/use-part.ts';
import '../events/events.css';
import { AboutEvent } from './settings/about.tsx';
import { DoorRules } from './settings/door.tsx';
import { NextTime } from './settings/next-time.tsx';
import { RegistrationRules } from './settings/registration.tsx';
import { SelfService } from './settings/self-service.tsx';
import { EventStateSection } from './settings/state.tsx';
import { Tickets } from './settings/tickets.tsx';

/** Everything that holds for the event as a whole. `?part=` in the address leads to one of its parts. */
export default function Settings() {
  const t = useWords('events');
  const { event } = useEvent();
  const { may } = useOrganization();
  const parts = usePart();
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
        <div data-part="self">
          <SelfService />
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
            <EventStateSection />
          </div>
        )}
        <History object={event.id} />
      </div>
    </Page>
  );
}
