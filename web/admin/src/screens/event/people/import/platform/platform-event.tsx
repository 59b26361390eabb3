import { useQuery } from '@tanstack/react-query';
import { EmptyState, Table, TextField, useFormats, useWords } from '@turnout/ui';
import { useState } from 'react';
import { call } from '../../../../../frame/api.ts';
import { useEvent } from '../../../../../frame/event.tsx';
import { QueryResult } from '../../../../../frame/query-result.tsx';

/** The platform is asked once a visit; its events do not change while one chooses. */
export const usePlatformEvents = (org: string, connection: string) =>
  useQuery({
    queryKey: ['askPlatformEvents', { org, connection }],
    staleTime: 60_000,
    queryFn: ({ signal }) => call('askPlatformEvents', { org, connection }, { signal }),
  });

export function SourceEvent({ connection, onChoose }: { connection: string; onChoose: (source: string) => void }) {
  const t = useWords('import');
  const formats = useFormats();
  const { base, event } = useEvent();
  const [search, setSearch] = useState('');
  const events = usePlatformEvents(base.org, connection);
  return (
    <div className="stack">
      <p className="soft">{t('sourceLead', { name: event.name })}</p>
      <QueryResult query={events}>
        {({ data }) => {
          const rows = data.filter(({ name }) => name.toLocaleLowerCase().includes(search.trim().toLocaleLowerCase()));
          return data.length === 0 ? (
            <EmptyState title={t('noSources')}>{t('noSourcesText')}</EmptyState>
          ) : (
            <>
              {data.length > 8 && (
                <TextField label={t('findSource')} required={false} value={search} onChange={setSearch} />
              )}
              <Table
                label={t('sources')}
                rows={rows}
                keyOf={(one) => one.id}
                columns={[
                  {
                    ...{ id: 'name', head: t('sourceName') },
                    cell: (one) => (
                      <button
                        type="button"
                        className="row-link button"
                        data-kind="link"
                        onClick={() => onChoose(one.id)}
                      >
                        <bdi>{one.name}</bdi>
                      </button>
                    ),
                  },
                  {
                    ...{ id: 'starts', head: t('sourceStarts') },
                    cell: (one) => (one.starts_at === null ? '' : formats.date(one.starts_at)),
                  },
                  {
                    ...{ id: 'currency', head: t('sourceCurrency') },
                    cell: (one) =>
                      one.currency === null || one.currency === event.currency
                        ? (one.currency ?? '')
                        : t('otherCurrency', { currency: one.currency }),
                  },
                ]}
              />
            </>
          );
        }}
      </QueryResult>
    </div>
  );
}
