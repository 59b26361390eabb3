import { Link, useNavigate } from '@tanstack/react-router';
import { EmptyState, Page, Radios, useWords } from '@turnout/ui';
import { useOrganization } from '../../frame/organization.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import './events.css';
import { NewFromEvent, NewFromFile } from './new/copy.tsx';
import { NewEmptyEvent } from './new/plain.tsx';

const WAYS = ['nothing', 'event', 'file'] as const;
type Way = (typeof WAYS)[number];

/** Creates an event: from nothing, from another event, or from a template file. The way stands in the address. */
export default function NewEvent() {
  const t = useWords('events');
  const { org, may } = useOrganization();
  const { values } = useFilters();
  const navigate = useNavigate();
  const way: Way = WAYS.find((one) => one === values.from) ?? 'nothing';
  const crumb = (
    <Link to="/$org/events" params={{ org }}>
      {t('title')}
    </Link>
  );
  if (!may('events.write'))
    return (
      <Page title={t('newTitle')} crumb={crumb} narrow>
        <EmptyState title={t('mayNotTitle')}>{t('mayNotText')}</EmptyState>
      </Page>
    );
  const choose = (from: Way) =>
    void navigate({ to: '.', search: (from === 'nothing' ? {} : { from }) as never, replace: true });
  return (
    <Page title={t('newTitle')} crumb={crumb} narrow>
      <div className="ways">
        <Radios
          label={t('way')}
          value={way}
          onChange={choose}
          options={WAYS.map((value) => ({ value, label: t(`way.${value}`), hint: t(`wayHint.${value}`) }))}
        />
      </div>
      {way === 'nothing' && <NewEmptyEvent />}
      {way === 'event' && <NewFromEvent />}
      {way === 'file' && <NewFromFile />}
    </Page>
  );
}
