import { Link } from '@tanstack/react-router';
import { EmptyState, Page, useWords } from '@turnout/ui';
import { usePages } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { DataTable } from '../../../parts/data-table.tsx';
import { Filters } from '../../../parts/filters.tsx';
import { useFilters } from '../../../parts/use-filters.ts';
import { useMayEdit } from '../form/form-page.tsx';
import { useCodeColumns } from './codes/use-code-columns.tsx';
import './codes/codes.css';

const ROWS = 50;

/** The codes that make something cheaper, of which there may be thousands. */
export default function Codes() {
  const t = useWords('selling');
  const { base } = useEvent();
  const edits = useMayEdit();
  const { values } = useFilters();
  const { search, active } = values;
  const filter = {
    ...(search !== undefined && { search }),
    ...(active !== undefined && { active: active === 'true' }),
  };
  const pages = usePages(
    'listDiscounts',
    { ...base, query: { ...filter, order: 'newest', limit: ROWS } },
    { keep: true },
  );
  const add = edits && (
    <div className="buttons">
      <Link className="button" to="/$org/events/$event/tickets/codes/batch" params={base}>
        {t('manyCodes')}
      </Link>
      <Link className="button" data-kind="main" to="/$org/events/$event/tickets/codes/new" params={base}>
        {t('addCode')}
      </Link>
    </div>
  );
  return (
    <Page title={t('codes')} lead={t('codesLead')} actions={add}>
      <Filters
        search={{ label: t('searchCodes') }}
        choices={[
          {
            ...{ name: 'active', label: t('stateHead') },
            options: [
              { value: 'true', label: t('filterOn') },
              { value: 'false', label: t('filterOff') },
            ],
          },
        ]}
      />
      <DataTable
        name="codes"
        label={t('codes')}
        pages={pages}
        keyOf={(one) => one.id}
        nameOf={(one) => one.code}
        columns={useCodeColumns(edits)}
        empty={<NoCodes filtered={Object.keys(filter).length > 0} />}
      />
    </Page>
  );
}

function NoCodes({ filtered }: { filtered: boolean }) {
  const t = useWords('selling');
  return filtered ? (
    <EmptyState title={t('noMatchTitle')}>{t('noMatchText')}</EmptyState>
  ) : (
    <EmptyState title={t('noCodesTitle')}>{t('noCodesText')}</EmptyState>
  );
}
