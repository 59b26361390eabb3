import { Navigate } from '@tanstack/react-router';
import { Notice, Page, Section, useWords } from '@turnout/ui';
import { useEvent } from '../../frame/event.tsx';
import { useOrganization } from '../../frame/organization.tsx';
import { History } from '../../parts/history.tsx';
import { Sections, type SettingsSection } from '../../parts/sections.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import '../events/events.css';
import { AboutEvent } from './settings/about.tsx';
import { DoorRules } from './settings/door.tsx';
import { NextTime } from './settings/next-time.tsx';
import { Payment } from './settings/payment.tsx';
import { RegistrationRules } from './settings/registration.tsx';
import { SelfService } from './settings/self-service.tsx';
import { EventStateSection } from './settings/state.tsx';
import { Tickets } from './settings/tickets.tsx';

/** Everything that holds for the event as a whole, one section at a time. */
export default function Settings() {
  const t = useWords('events');
  const { base } = useEvent();
  const { may } = useOrganization();
  const sections = useSections();
  // What the page shows was a part of the settings once.
  if (useFilters().values.part === 'page') return <Navigate to="/$org/events/$event/page" params={base} replace />;
  return (
    <Page title={t('settings')}>
      {!may('events.write') && <Notice>{t('readOnly')}</Notice>}
      <Sections label={t('sections')} sections={sections} />
    </Page>
  );
}

function useSections(): SettingsSection[] {
  const t = useWords('events');
  const site = useWords('site');
  const p = useWords('parts');
  const { event } = useEvent();
  const { may } = useOrganization();
  const sections: SettingsSection[] = [
    { id: 'event', title: t('about'), content: <AboutEvent /> },
    { id: 'registration', title: t('registration'), content: <RegistrationRules /> },
    { id: 'payment', title: t('payment'), content: <Payment /> },
    { id: 'tickets', title: t('ticketsTitle'), content: <Tickets /> },
    { id: 'self', title: site('self'), content: <SelfService /> },
    { id: 'door', title: t('door'), content: <DoorRules /> },
    { id: 'next', title: t('next'), content: <NextTime /> },
  ];
  if (may('tenant.audit'))
    sections.push({
      id: 'history',
      title: p('history'),
      content: (
        <Section title={p('history')}>
          <History object={event.id} open />
        </Section>
      ),
    });
  if (may('events.write'))
    sections.push({ id: 'state', title: t('state'), content: <EventStateSection />, apart: true });
  return sections;
}
