import { Link } from '@tanstack/react-router';
import {
  Button,
  ConfirmDialog,
  EmptyState,
  Notice,
  Page,
  ProblemNotice,
  Section,
  Table,
  toast,
  useWords,
} from '@turnout/ui';
import { useState } from 'react';
import { useAction } from '../../../frame/action.ts';
import { call, useCall, useRefresh } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { useOrganization } from '../../../frame/organization.tsx';
import { QueryResult } from '../../../frame/query-result.tsx';
import './check-in.css';

/** What test mode is, what was tried so far, and how all of it is cleared before the doors open. */
export default function TestMode() {
  const t = useWords('door');
  const { base, event, pointName, typeName, dayName } = useEvent();
  const { may, member } = useOrganization();
  const counts = useCall('countCheckIns', { ...base, query: { test: true } });
  return (
    <Page title={t('test')} lead={t('testLead')}>
      {event.test && <Notice tone="warn">{t('testEvent')}</Notice>}
      <ul className="door-facts">
        <li>{t('testFact1')}</li>
        <li>{t('testFact2')}</li>
        <li>{t('testFact3')}</li>
      </ul>
      <div className="buttons">
        <Link
          className="button"
          data-kind="main"
          to="/$org/events/$event/check-in/scan"
          params={base}
          search={{ test: 'true' }}
        >
          {t('testScan')}
        </Link>
        <Link className="button" to="/$org/events/$event/check-in/check-ins" params={base} search={{ test: 'true' }}>
          {t('testList')}
        </Link>
      </div>
      <Section
        title={t('testSoFar')}
        actions={may('door.clear_tests') && member.group === null && (counts.data?.data.length ?? 0) > 0 && <Clear />}
      >
        <QueryResult query={counts}>
          {({ data }) =>
            data.length === 0 ? (
              <EmptyState title={t('noTests')}>{t('noTestsText')}</EmptyState>
            ) : (
              <Table
                label={t('testSoFar')}
                rows={data}
                keyOf={(one) => `${one.check_in_point} ${one.day} ${one.attendee_type}`}
                columns={[
                  { id: 'point', head: t('point'), cell: (one) => pointName(one.check_in_point) },
                  { id: 'day', head: t('day'), cell: (one) => (one.day === null ? '–' : dayName(one.day)) },
                  { id: 'type', head: t('type'), cell: (one) => typeName(one.attendee_type) },
                  { id: 'admissions', head: t('admissions'), align: 'end', cell: (one) => one.admissions },
                  { id: 'refusals', head: t('refusals'), align: 'end', cell: (one) => one.refusals },
                ]}
              />
            )
          }
        </QueryResult>
      </Section>
    </Page>
  );
}

function Clear() {
  const t = useWords('door');
  const { base } = useEvent();
  const refresh = useRefresh();
  const [asking, setAsking] = useState(false);
  const clear = useAction(async () => {
    await call('clearTestCheckIns', base);
    setAsking(false);
    toast(t('testsCleared'), 'good');
    await refresh('countCheckIns', 'listCheckIns');
  });
  return (
    <>
      <Button kind="danger" onClick={() => setAsking(true)}>
        {t('clearTests')}
      </Button>
      {asking && (
        <ConfirmDialog
          title={t('clearTestsTitle')}
          action={t('clearTests')}
          danger
          busy={clear.busy}
          onConfirm={() => void clear.run()}
          onClose={() => setAsking(false)}
        >
          <p>{t('clearTestsText')}</p>
          <ProblemNotice problem={clear.problem} />
        </ConfirmDialog>
      )}
    </>
  );
}
