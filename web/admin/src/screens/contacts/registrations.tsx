import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Contact, Event, Registration } from '@turnout/client';
import { compareInstants } from '@turnout/contract/instants';
import { Table, useFormats, useWords } from '@turnout/ui';
import { call } from '../../frame/api.ts';
import { useOrganization } from '../../frame/organization.tsx';
import { QueryResult } from '../../frame/query-result.tsx';
import { StateBadge } from '../../parts/status.tsx';

interface ContactRegistrations {
  rows: { event: Event; registration: Registration }[];
  /** How many of them a change of the contact can be carried over to. */
  open: number;
  /** In how many events it was looked, and whether there are more. */
  eventCount: number;
  more: boolean;
}

/** The newest events are looked through; there is no list of a contact's registrations across events. */
const EVENTS = 50;
const AT_ONCE = 4;
const OVER = ['cancelled', 'declined', 'expired'];

/** The registrations of a contact, as registrant or attendee, in the newest events. */
export function useRegistrations(contact: Contact) {
  const { org } = useOrganization();
  const { id, email } = contact;
  const search = email ?? [contact.first_name, contact.last_name].filter(Boolean).join(' ');
  return useQuery({
    queryKey: ['listRegistrations', { org }, 'contact', id, search],
    staleTime: 30_000,
    queryFn: async ({ signal }): Promise<ContactRegistrations> => {
      const events = await call('listEvents', { org, query: { limit: EVENTS, order: 'newest' } }, { signal });
      const rows: ContactRegistrations['rows'] = [];
      const waiting = search === '' ? [] : [...events.data];
      const look = async () => {
        for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) {
          const query = { limit: 100, search };
          const { data } = await call('listRegistrations', { org, event: event.id, query }, { signal });
          const own = data.filter(
            (one) => one.contact.id === id || one.attendees.some(({ contact_id }) => contact_id === id),
          );
          rows.push(...own.map((registration) => ({ event: event!, registration })));
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, look));
      rows.sort((a, b) => compareInstants(b.registration.created_at, a.registration.created_at));
      const open = rows.filter(
        ({ event, registration }) => event.status !== 'archived' && !OVER.includes(registration.status),
      ).length;
      return { rows, open, eventCount: events.data.length, more: events.page.next_cursor !== null };
    },
  });
}

export function Registrations({ found }: { found: ReturnType<typeof useRegistrations> }) {
  const t = useWords('contacts');
  const formats = useFormats();
  const { org } = useOrganization();
  return (
    <QueryResult query={found}>
      {({ rows, eventCount, more }) => (
        <>
          {rows.length === 0 ? (
            <p className="soft">{t('noRegistrations')}</p>
          ) : (
            <Table
              label={t('registrations')}
              rows={rows}
              keyOf={({ registration }) => registration.id}
              columns={[
                {
                  ...{ id: 'event', head: t('event') },
                  cell: ({ event, registration }) => (
                    <Link
                      className="row-link"
                      to="/$org/events/$event/people/registrations/$registration"
                      params={{ org, event: event.code, registration: registration.id }}
                    >
                      <bdi>{event.name}</bdi>
                    </Link>
                  ),
                },
                { id: 'code', head: t('code'), cell: ({ registration }) => registration.code },
                {
                  ...{ id: 'people', head: t('people'), align: 'end' },
                  cell: ({ registration }) => formats.number(registration.attendees.length),
                },
                {
                  ...{ id: 'status', head: t('status') },
                  cell: ({ registration }) => <StateBadge kind="registration" value={registration.status} />,
                },
                {
                  ...{ id: 'at', head: t('registeredAt') },
                  cell: ({ registration }) => formats.date(registration.created_at),
                },
              ]}
            />
          )}
          {more && <p className="soft small">{t('looked', { count: eventCount })}</p>}
        </>
      )}
    </QueryResult>
  );
}
