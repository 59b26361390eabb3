import { Link } from '@tanstack/react-router';
import { Section, useWords } from '@turnout/ui';
import { useEvent } from '../../../frame/event.tsx';
import { useOrganization } from '../../../frame/organization.tsx';
import { PageAddress } from '../../../parts/page-address.tsx';

/** Where people register: what somebody who has made or published an event looks for first. */
export function PageLink() {
  const t = useWords('site');
  const { event, base } = useEvent();
  const { may } = useOrganization();
  return (
    <Section title={t('page')} lead={t(event.test ? 'sees.test' : `sees.${event.status}`)}>
      <PageAddress label={t('address')} address={event.public_url}>
        {may('events.write') && (
          <Link to="/$org/events/$event/settings" params={base} search={{ part: 'page' }}>
            {t('shows')}
          </Link>
        )}
      </PageAddress>
    </Section>
  );
}
