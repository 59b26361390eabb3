import { useWords } from '@turnout/ui';
import { usePages } from '../../frame/api.ts';
import { useOrganization } from '../../frame/organization.tsx';
import { MoreButton, QueryResult } from '../../frame/query-result.tsx';
import { Entry } from './entry.tsx';

/**
 * Who changed what of one object, from the audit log. Nothing is shown to those who may not read it. The screen needs the words of
 * `audit`. `plain`: where a heading stands above it already.
 */
export function History({ object, plain }: { object: string; plain?: boolean }) {
  const { may } = useOrganization();
  return may('tenant.audit') ? <ObjectHistory object={object} {...(plain && { plain })} /> : null;
}

function ObjectHistory({ object, plain }: { object: string; plain?: boolean }) {
  const t = useWords('audit');
  const { org } = useOrganization();
  const pages = usePages('listAuditLog', { org, query: { object, limit: 20 } });
  return (
    <div className="stack">
      {!plain && <h3>{t('history')}</h3>}
      <QueryResult query={{ data: pages.rows, error: pages.error, refetch: pages.refetch }} lines={3}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="soft">{t('noHistory')}</p>
          ) : (
            <ol className="log" aria-label={t('history')}>
              {rows.map((one) => (
                <Entry key={one.id} entry={one} />
              ))}
            </ol>
          )
        }
      </QueryResult>
      <MoreButton pages={pages} />
    </div>
  );
}
