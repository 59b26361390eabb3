import { Link } from '@tanstack/react-router';
import { Section, useWords } from '@turnout/ui';
import { useEvent } from '../../../frame/event.tsx';
import { useOrganization } from '../../../frame/organization.tsx';
import { PageAddress } from '../../../parts/page-address.tsx';
import { QrCode, qrFile } from '../../../parts/qr.tsx';

/** Where people register, as a link and as a code to be put on a poster: what somebody who has published an event looks for first. */
export function PageLink() {
  const t = useWords('site');
  const { event, base } = useEvent();
  const { may } = useOrganization();
  return (
    <Section title={t('page')} lead={t(event.test ? 'sees.test' : `sees.${event.status}`)}>
      <div className="page-share">
        <PageAddress label={t('address')} address={event.public_url}>
          {may('events.write') && (
            <Link to="/$org/events/$event/settings" params={base} search={{ part: 'page' }}>
              {t('shows')}
            </Link>
          )}
        </PageAddress>
        <figure className="page-code">
          <QrCode text={event.public_url} label={t('code')} size="9rem" />
          <figcaption>
            <a
              className="button"
              data-kind="usual"
              data-size="small"
              href={qrFile(event.public_url)}
              download={`${event.code}.svg`}
            >
              {t('codeSave')}
            </a>
          </figcaption>
        </figure>
      </div>
    </Section>
  );
}
