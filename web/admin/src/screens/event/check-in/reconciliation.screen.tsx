import { Link } from '@tanstack/react-router';
import type { Disagreement } from '@turnout/client';
import { Badge, Button, EmptyState, Page, Time, type Tone, useWords } from '@turnout/ui';
import { useState } from 'react';
import { usePages } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { useOrganization } from '../../../frame/organization.tsx';
import { MoreButton, QueryResult } from '../../../frame/query-result.tsx';
import { ExportFile, ExportProgress } from '../../../parts/export-file.tsx';
import { useReasonText, useStateText } from '../../../parts/status.tsx';
import { usePersonName } from './check-ins/person-name.tsx';
import { OverrideDialog } from './override.tsx';
import './check-in.css';
import { type Difference, differenceOf } from './reconciliation/disagreement.ts';

/** Where an offline door told somebody something else than the server decided later, in words. */
export default function Reconciliation() {
  const t = useWords('door');
  const { base } = useEvent();
  const pages = usePages('listDisagreements', { ...base, query: { limit: 50 } });
  const [overriding, setOverriding] = useState<string | null>(null);
  return (
    <Page
      title={t('reconciliation')}
      lead={t('reconciliationLead')}
      actions={<ExportFile what="checkins" filter={{ report: 'reconciliation' }} />}
    >
      <ExportProgress />
      <QueryResult query={{ data: pages.rows, error: pages.error, refetch: pages.refetch }}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title={t('noDisagreements')}>{t('noDisagreementsText')}</EmptyState>
          ) : (
            <ul className="door-disagreements" aria-label={t('reconciliation')}>
              {rows.map((one) => (
                <Line key={one.id} disagreement={one} onOverride={() => setOverriding(one.id)} />
              ))}
            </ul>
          )
        }
      </QueryResult>
      <MoreButton pages={pages} />
      {overriding !== null && <OverrideDialog checkIn={overriding} onClose={() => setOverriding(null)} />}
    </Page>
  );
}

const TONES = {
  let_in: 'bad',
  let_in_unknown: 'bad',
  sent_away: 'warn',
  both_admitted: undefined,
  both_refused: undefined,
} as const satisfies Record<Difference, Tone | undefined>;

function Line({ disagreement, onOverride }: { disagreement: Disagreement; onOverride: () => void }) {
  const t = useWords('door');
  const textOf = useStateText();
  const reasonText = useReasonText();
  const { base, pointName, timezone } = useEvent();
  const { may } = useOrganization();
  const personName = usePersonName(disagreement.attendee_id);
  const kind = differenceOf(disagreement);
  const tone = TONES[kind];
  const doorResult = textOf('result', disagreement.offline_result ?? '');
  const decided =
    disagreement.reason === null ? textOf('result', disagreement.result) : reasonText(disagreement.reason);
  return (
    <li data-difference={kind}>
      <div className="row" data-apart="">
        <Badge {...(tone !== undefined && { tone })}>{t(`difference.${kind}`)}</Badge>
        <span className="soft small">
          <Time at={disagreement.scanned_at} timeZone={timezone} />
        </span>
      </div>
      <p>
        {t(`told.${kind}`, {
          who: personName,
          said: doorResult,
          decided,
          point: pointName(disagreement.check_in_point),
          device: disagreement.device?.name ?? disagreement.actor.name,
        })}
      </p>
      {disagreement.skewed && <p className="soft small">{t('skewed')}</p>}
      <div className="buttons">
        {disagreement.attendee_id !== null && may('people.read') && (
          <Link
            className="button"
            data-size="small"
            to="/$org/events/$event/people/$attendee"
            params={{ ...base, attendee: disagreement.attendee_id }}
          >
            {t('toPerson')}
          </Link>
        )}
        {kind === 'let_in' &&
          disagreement.override === null &&
          disagreement.ticket_id !== null &&
          may('door.override') && (
            <Button size="small" onClick={onOverride}>
              {t('override')}
            </Button>
          )}
      </div>
    </li>
  );
}
