import { Link } from '@tanstack/react-router';
import type { Contact } from '@turnout/client';
import { fieldsOf } from '@turnout/contract/person-fields';
import { EmptyState, Page, Time, useWords } from '@turnout/ui';
import { usePages } from '../frame/api.ts';
import { useOrganization } from '../frame/organization.tsx';
import { type DataColumn, DataTable } from '../parts/data-table.tsx';
import { Filters } from '../parts/filters.tsx';
import { useFilters } from '../parts/use-filters.ts';
import { contactName } from './contacts/contact-name.ts';

/** The address book: everybody who ever registered, came or was imported. */
export default function Contacts() {
  const t = useWords('contacts');
  const person = useWords('person');
  const { org } = useOrganization();
  const { values, set } = useFilters();
  const query = {
    ...{ limit: 100, order: values.order === 'name' ? ('name' as const) : ('newest' as const) },
    ...(values.search !== undefined && { search: values.search }),
  };
  const pages = usePages('listContacts', { org, query }, { keep: true });
  const columns: DataColumn<Contact>[] = [
    {
      ...{ id: 'name', head: t('name'), always: true, card: 'title', order: 'name', width: 'minmax(12rem, 2fr)' },
      cell: (one) => (
        <Link className="row-link" to="/$org/contacts/$contact" params={{ org, contact: one.id }}>
          <bdi>{one.erased_at !== null ? t('erasedName') : contactName(one)}</bdi>
        </Link>
      ),
    },
    { id: 'email', head: person('email'), card: 'line', width: 'minmax(12rem, 2fr)', cell: (one) => one.email },
    { id: 'phone', head: person('phone'), card: 'line', cell: (one) => one.phone },
    { id: 'group', head: person('group'), cell: (one) => one.group },
    ...fieldsOf('contact', { kind: 'text' }).map((id) => ({
      ...{ id, head: person(id), extra: true },
      cell: (one: Contact) => one[id],
    })),
    { id: 'since', head: t('since'), cell: (one) => <Time at={one.created_at} /> },
  ];
  return (
    <Page title={t('title')} lead={t('lead')}>
      <Filters search={{ label: t('search') }} />
      <DataTable
        name="contacts"
        label={t('title')}
        pages={pages}
        keyOf={(one) => one.id}
        columns={columns}
        order={{ value: values.order, fallback: 'newest', onChange: (order) => set({ order }) }}
        empty={
          values.search === undefined ? (
            <EmptyState title={t('noneTitle')}>{t('noneText')}</EmptyState>
          ) : (
            <EmptyState title={t('noneMatches')} />
          )
        }
      />
    </Page>
  );
}
