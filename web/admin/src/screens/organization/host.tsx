import type { TenantHost } from '@turnout/client';
import {
  Ago,
  announce,
  Badge,
  Button,
  ConfirmDialog,
  CopyField,
  ProblemNotice,
  type Tone,
  toast,
  useFormats,
  useWords,
} from '@turnout/ui';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../frame/action.ts';
import { call, useRefresh } from '../../frame/api.ts';
import { useOrganization } from '../../frame/organization.tsx';

type State = TenantHost['state'] | 'missing';
const stateOf = ({ state, missing_since }: TenantHost): State => (missing_since === null ? state : 'missing');

const TONES: Readonly<Record<State, Tone | undefined>> = {
  waiting: undefined,
  proved: 'good',
  missing: 'warn',
  contested: 'bad',
};

/** One host: whether it is proved, the record that proves it, and what can be done. */
export function Host({ of }: { of: TenantHost }) {
  const t = useWords('hosts');
  const state = stateOf(of);
  const tone = TONES[state];
  return (
    <>
      <div className="host-head">
        <h3>{of.host}</h3>
        <Badge {...(tone !== undefined && { tone })}>{t(`state.${state}`)}</Badge>
        {of.primary && <Badge tone="accent">{t('primary')}</Badge>}
      </div>
      <About of={of} />
      {of.proved_by !== 'operator' && <Records of={of} isOpen={state === 'waiting' || state === 'missing'} />}
      <Actions of={of} />
    </>
  );
}

function About({ of }: { of: TenantHost }) {
  const t = useWords('hosts');
  const formats = useFormats();
  const state = stateOf(of);
  const about = () => {
    if (state !== 'missing') return t(of.proved_by === 'operator' ? 'about.operator' : `about.${state}`);
    return t('about.missing', {
      since: formats.when(of.missing_since!, { dateStyle: 'medium' }),
      until: formats.when(of.drops_at!, { dateStyle: 'medium' }),
    });
  };
  return (
    <div className="stack" data-gap="small">
      <p>{about()}</p>
      {of.check !== null && of.proved_by !== 'operator' && (
        <p className="soft small">
          {t('lastCheck')}: <Ago at={of.checked_at!} />. {t(`found.${of.check}`)}
        </p>
      )}
    </div>
  );
}

/** What has to be copied into DNS. Once it was found, it is folded away. */
function Records({ of, isOpen }: { of: TenantHost; isOpen: boolean }) {
  const t = useWords('hosts');
  const fields = (
    <div className="stack">
      <CopyField label={t('recordName')} text={of.record.name} />
      <CopyField label={t('recordValue')} text={of.record.value} />
    </div>
  );
  if (isOpen) return fields;
  return (
    <details className="host-record">
      <summary>{t('record')}</summary>
      {fields}
    </details>
  );
}

function Actions({ of }: { of: TenantHost }) {
  const t = useWords('hosts');
  const { org } = useOrganization();
  const refresh = useRefresh();
  const [removing, setRemoving] = useState(false);
  const changed = () => refresh('listTenantHosts', 'getOrganization', 'listAuditLog');
  const check = useAction(async ({ key }: { key: string }) => {
    const now = await call('checkTenantHost', { org, host: of.id }, { key });
    await changed();
    if (of.state !== 'proved' && now.state === 'proved') toast(t('provedNow', { host: of.host }), 'good');
    else announce(now.check === null ? '' : t(`found.${now.check}`));
  });
  const makePrimary = useAction(async ({ key }: { key: string }) => {
    await call('makeTenantHostPrimary', { org, host: of.id }, { key });
    await changed();
    toast(t('madePrimary', { host: of.host }), 'good');
  });
  return (
    <>
      <ProblemNotice problem={check.problem ?? makePrimary.problem} />
      <div className="buttons">
        {of.proved_by !== 'operator' && (
          <Button size="small" busy={check.busy} onClick={() => void check.run()}>
            <Named host={of.host}>{t('check')}</Named>
          </Button>
        )}
        {of.state === 'proved' && !of.primary && (
          <Button size="small" busy={makePrimary.busy} onClick={() => void makePrimary.run()}>
            <Named host={of.host}>{t('makePrimary')}</Named>
          </Button>
        )}
        <Button size="small" kind="quiet" onClick={() => setRemoving(true)}>
          <Named host={of.host}>{t('remove')}</Named>
        </Button>
      </div>
      {removing && <Remove of={of} onClose={() => setRemoving(false)} />}
    </>
  );
}

/** For those who hear the buttons of several hosts one after the other. */
const Named = ({ host, children }: { host: string; children: ReactNode }) => (
  <>
    {children}
    <span className="hidden"> ({host})</span>
  </>
);

function Remove({ of, onClose }: { of: TenantHost; onClose: () => void }) {
  const t = useWords('hosts');
  const { org } = useOrganization();
  const refresh = useRefresh();
  const remove = useAction(async () => {
    await call('removeTenantHost', { org, host: of.id });
    toast(t('removed', { host: of.host }), 'good');
    onClose();
    await refresh('listTenantHosts', 'getOrganization', 'listAuditLog');
  });
  return (
    <ConfirmDialog
      title={t('removeTitle', { host: of.host })}
      action={t('remove')}
      danger
      busy={remove.busy}
      onConfirm={() => void remove.run()}
      onClose={onClose}
    >
      <p>{t('removeText')}</p>
      <ProblemNotice problem={remove.problem} />
    </ConfirmDialog>
  );
}
