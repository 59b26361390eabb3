import { Link, useParams } from '@tanstack/react-router';
import type { Contact } from '@turnout/client';
import { fieldsOf } from '@turnout/contract/person-fields';
import { Button, Facts, Notice, Page, Section, useFormats, useWords } from '@turnout/ui';
import { useCall } from '../../frame/api.ts';
import { useOrganization } from '../../frame/organization.tsx';
import { QueryResult } from '../../frame/query-result.tsx';
import { History } from '../../parts/history.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { ChangeContact } from './change.tsx';
import { contactName } from './contact-name.ts';
import { EraseContact } from './erase.tsx';
import { Registrations, useRegistrations } from './registrations.tsx';

const CONTACT = [...fieldsOf('contact', { kind: 'email' }), ...fieldsOf('contact', { kind: 'phone' })];

/** One person of the address book: details, registrations, history; changing and erasing. */
export default function ContactPage() {
  const t = useWords('contacts');
  const { org } = useOrganization();
  const { contact: id } = useParams({ strict: false }) as { contact: string };
  const contact = useCall('getContact', { org, contact: id });
  const name = contact.data === undefined ? t('one') : contactName(contact.data) || t('erasedName');
  return (
    <Page
      title={name}
      crumb={
        <Link to="/$org/contacts" params={{ org }}>
          {t('title')}
        </Link>
      }
    >
      <QueryResult query={contact}>{(data) => <Details contact={data} />}</QueryResult>
    </Page>
  );
}

function Details({ contact }: { contact: Contact }) {
  const t = useWords('contacts');
  const person = useWords('person');
  const formats = useFormats();
  const { may } = useOrganization();
  const { values, set } = useFilters();
  const found = useRegistrations(contact);
  const erased = contact.erased_at !== null;
  return (
    <>
      {erased && (
        <Notice tone="warn" title={t('erasedTitle')}>
          {t('erasedText', { when: formats.dateTime(contact.erased_at!) })}
        </Notice>
      )}
      {!erased && (
        <>
          <div className="buttons">
            {may('people.write') && <Button onClick={() => set({ do: 'change' })}>{t('change')}</Button>}
            {may('people.erase') && (
              <Button kind="danger" onClick={() => set({ do: 'erase' })}>
                {t('erase')}
              </Button>
            )}
          </div>
          <Facts
            facts={[
              ...CONTACT.map((field) => [person(field), contact[field] ?? '–'] as const),
              ...fieldsOf('contact', { kind: 'date' }).flatMap((field) =>
                contact[field] === null ? [] : [[person(field), formats.date(contact[field])] as const],
              ),
              ...[...fieldsOf('contact', { kind: 'text' }), 'group' as const].flatMap((field) =>
                contact[field] === null ? [] : [[person(field), contact[field]] as const],
              ),
              [t('since'), formats.date(contact.created_at)],
            ]}
          />
        </>
      )}
      <Section title={t('registrations')}>
        <Registrations found={found} />
      </Section>
      <History object={contact.id} />
      {values.do === 'change' && !erased && (
        <ChangeContact contact={contact} open={found.data?.open} onClose={() => set({ do: undefined })} />
      )}
      {values.do === 'erase' && !erased && <EraseContact contact={contact} onClose={() => set({ do: undefined })} />}
    </>
  );
}
