import type { Session } from '@turnout/client';
import { Ago, Badge, Button, ConfirmDialog, ProblemNotice, Section, toast, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useAction } from '../../frame/action.ts';
import { call, useCall, useRefresh } from '../../frame/api.ts';
import { QueryResult } from '../../frame/query-result.tsx';

export function Sessions() {
  const t = useWords('account');
  const sessions = useCall('listSessions', {});
  const others = sessions.data?.data.some((one) => !one.current) === true;
  return (
    <Section title={t('sessions')} lead={t('sessionsLead')} actions={others && <EndOthers />}>
      <QueryResult query={sessions}>
        {({ data }) => (
          <ul className="items">
            {data.map((one) => (
              <SessionItem key={one.id} session={one} />
            ))}
          </ul>
        )}
      </QueryResult>
    </Section>
  );
}

function SessionItem({ session }: { session: Session }) {
  const t = useWords('account');
  const refresh = useRefresh();
  const browser = session.browser ?? t('sessionUnknown');
  const end = useAction(async () => {
    await call('endSession', { session: session.id });
    return true;
  });
  return (
    <li>
      <div>
        <strong>{browser}</strong> {session.current && <Badge tone="good">{t('sessionThis')}</Badge>}
        <div className="soft small">
          {t('sessionUsed')} <Ago at={session.last_used_at} />
          {session.address !== null && ` · ${session.address}`} · {t(`method.${session.method}`)}
        </div>
        <ProblemNotice problem={end.problem} />
      </div>
      {!session.current && (
        <Button
          kind="quiet"
          size="small"
          busy={end.busy}
          aria-label={t('sessionEndThis', { browser })}
          onClick={async () => {
            if ((await end.run()) !== true) return;
            toast(t('sessionEnded'), 'good');
            await refresh('listSessions');
          }}
        >
          {t('sessionEnd')}
        </Button>
      )}
    </li>
  );
}

function EndOthers() {
  const t = useWords('account');
  const refresh = useRefresh();
  const [open, setOpen] = useState(false);
  const end = useAction(async ({ key }: { key: string }) => {
    await call('endOtherSessions', {}, { key });
    return true;
  });
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {t('sessionEndOthers')}
      </Button>
      {open && (
        <ConfirmDialog
          title={t('sessionEndOthersTitle')}
          action={t('sessionEndOthers')}
          danger
          busy={end.busy}
          onClose={() => setOpen(false)}
          onConfirm={async () => {
            if ((await end.run()) !== true) return;
            setOpen(false);
            toast(t('sessionsEnded'), 'good');
            await refresh('listSessions');
          }}
        >
          <p>{t('sessionEndOthersText')}</p>
          <ProblemNotice problem={end.problem} />
        </ConfirmDialog>
      )}
    </>
  );
}
