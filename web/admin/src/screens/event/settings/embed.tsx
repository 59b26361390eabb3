import { Link } from '@tanstack/react-router';
import { CopyField, useWords } from '@turnout/ui';
import { useCall } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { useOrganization } from '../../../frame/organization.tsx';

/** The line that puts the form into a site of the organization's own. It works on the sites that the organization names. */
export function Embed() {
  const t = useWords('site');
  const { event } = useEvent();
  const { org, may } = useOrganization();
  const knows = may('tenant.settings');
  const settings = useCall('getOrganization', { org }, { enabled: knows });
  const at = event.public_url.lastIndexOf('/');
  const [pages, code] = [event.public_url.slice(0, at), event.public_url.slice(at + 1)];
  const sites = settings.data?.embed_origins ?? [];
  if (knows && settings.data === undefined) return null;
  return (
    <div className="stack" data-gap="small">
      {(sites.length > 0 || !knows) && (
        <CopyField label={t('embed')} text={`<script src="${pages}/embed.js" data-event="${code}" async></script>`} />
      )}
      {sites.length > 0 && <p className="soft small">{t('embedHint', { sites: sites.join(', ') })}</p>}
      {!knows && <p className="soft small">{t('embedAsk')}</p>}
      {knows && sites.length === 0 && (
        <p className="soft small">
          {t('embedNone')}{' '}
          <Link to="/$org/organization" params={{ org }} search={{ part: 'pages' }}>
            {t('embedWhere')}
          </Link>
        </p>
      )}
    </div>
  );
}
