import { Link } from '@tanstack/react-router';
import type { Disagreement } from '@turnout/client';
import { Badge, Button, EmptyState, Time, useWords } from '@turnout/ui';
import { useState } from 'react';
import { Answer, More } from '../../frame/answer.tsx';
import { usePages } from '../../frame/api.ts';
import { useEvent } from '../../frame/event.tsx';
import { useOrganization } from '../../frame/organization.tsx';
import { ExportFile, ExportProgress } from '../../parts/export-file.tsx';
import { useReasonText, useStateText } from '../../parts/status.tsx';
import { type Difference, differenceOf } from './disagreement.ts';
import { OverrideDialog } from './override.tsx';
import { DoorPage } from './page.tsx';
import { usePersonName } from './person-name.tsx';

/** Where an offline door told somebody something else than the server decided later, in words. */
export default function Reconciliation() {
  const t = useWords('door');
  const { base } = useEvent();
  const pages = usePages('listDisagreements', { ...base, query: { limit: 50 } });
  const [overriding, setOverriding] = useState<string | null>(null);
  return (
    <DoorPage
      title={t('reconciliation')}
      lead={t('reconciliationLead')}
      actions={<ExportFile what="checkins" filter={{ report: 'reconciliation' }} />}
    >
      <ExportProgress />
      <Answer of={{ data: pages.rows, error: pages.error, refetch: pages.refetch }}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title={t('noDisagreements')}>{t('noDisagreementsText')}</EmptyState>
          ) : (
            <ul className="door-disagreements" aria-label={t('reconciliation')}>
              {rows.map((one) => (
                <Line key={one.id} of={one} onOverride={() => setOverriding(one.id)} />
              ))}
            </ul>
          )
        }
      </Answer>
      <More of={pages} />
      {overriding !== null && <OverrideDialog checkIn={overriding} onClose={() => setOverriding(null)} />}
    </DoorPage>
  );
}

const TONES = {
  let_in: 'bad',
  let_in_unknown: 'bad',
  sent_away: 'warn',
  both_admitted: 'accent',
  both_refused: 'accent',
} as const satisfies Record<Difference, string>;

function Line({ of: one, onOverride }: { of: Disagreement; onOverride: () => void }) {
  const t = useWords('door');
  const textOf = useStateText();
  const reasonText = useReasonText();
  const { base, pointName, timezone } = useEvent();
  const { may } = useOrganization();
  const who = usePersonName(one.attendee_id);
  const kind = differenceOf(one);
  const said = textOf('result', one.offline_result ?? '');
  const decided = one.reason === null ? textOf('result', one.result) : reasonText(one.reason);
  return (
    <li data-difference={kind}>
      <div className="row" data-apart="">
        <Badge tone={TONES[kind]}>{t(`difference.${kind}`)}</Badge>
        <span className="soft small">
          <Time at={one.scanned_at} timeZone={timezone} />
        </span>
      </div>
      <p>
        {t(`told.${kind}`, {
          who,
          said,
          decided,
          point: pointName(one.check_in_point),
          device: one.device?.name ?? one.actor.name,
        })}
      </p>
      {one.skewed && <p className="soft small">{t('skewed')}</p>}
      <div className="buttons">
        {one.attendee_id !== null && may('people.read') && (
          <Link
            className="button"
            data-size="small"
            to="/$org/events/$event/people/$attendee"
            params={{ ...base, attendee: one.attendee_id }}
          >
            {t('toPerson')}
          </Link>
        )}
        {kind === 'let_in' && one.override === null && one.ticket_id !== null && may('door.override') && (
          <Button size="small" onClick={onOverride}>
            {t('override')}
          </Button>
        )}
      </div>
    </li>
  );
}
