import { Link } from '@tanstack/react-router';
import { EmptyState, Page, Tabs, useWords } from '@turnout/ui';
import { useOrganization } from '../../frame/organization.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import './events.css';
import { NewFromEvent, NewFromFile } from './new/copy.tsx';
import { NewPlainEvent } from './new/plain.tsx';

const WAYS = ['nothing', 'event', 'file'] as const;
type Way = (typeof WAYS)[number];

/** Creates an event: from nothing, from another event, or from a template file. The way stands in the address. */
export default function NewEvent() {
  const t = useWords('events');
  const { org, may } = useOrganization();
  const { values } = useFilters();
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
  return (
    <Page title={t('newTitle')} crumb={crumb} tabs={<Ways way={way} />} narrow>
      {/* It stays, so that nothing typed is lost while somebody looks at the other ways. */}
      <div hidden={way !== 'nothing'}>
        <NewPlainEvent />
      </div>
      {way === 'event' && <NewFromEvent />}
      {way === 'file' && <NewFromFile />}
    </Page>
  );
}

function Ways({ way }: { way: Way }) {
  const t = useWords('events');
  const { org } = useOrganization();
  return (
    <Tabs label={t('way')}>
      {WAYS.map((from) => (
        <Link
          key={from}
          to="/$org/events/new"
          params={{ org }}
          search={from === 'nothing' ? {} : { from }}
          replace
          activeOptions={{ exact: true, includeSearch: true }}
          {...(from === way && { 'aria-current': 'page' as const })}
        >
          {t(`way.${from}`)}
        </Link>
      ))}
    </Tabs>
  );
}
