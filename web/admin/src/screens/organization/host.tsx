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
export function Host({ host }: { host: TenantHost }) {
  const t = useWords('hosts');
  const state = stateOf(host);
  const tone = TONES[state];
  return (
    <>
      <div className="host-head">
        <h3>{host.host}</h3>
        <Badge {...(tone !== undefined && { tone })}>{t(`state.${state}`)}</Badge>
        {host.primary && <Badge icon={null}>{t('primary')}</Badge>}
      </div>
      <About host={host} />
      {host.proved_by !== 'operator' && <Records host={host} isOpen={state === 'waiting' || state === 'missing'} />}
      <Actions host={host} />
    </>
  );
}

function About({ host }: { host: TenantHost }) {
  const t = useWords('hosts');
  const formats = useFormats();
  const state = stateOf(host);
  const about = () => {
    if (state !== 'missing') return t(host.proved_by === 'operator' ? 'about.operator' : `about.${state}`);
    return t('about.missing', {
      since: formats.when(host.missing_since!, { dateStyle: 'medium' }),
      until: formats.when(host.drops_at!, { dateStyle: 'medium' }),
    });
  };
  return (
    <div className="stack" data-gap="small">
      <p>{about()}</p>
      {host.check !== null && host.proved_by !== 'operator' && (
        <p className="soft small">
          {t('lastCheck')}: <Ago at={host.checked_at!} />. {t(`found.${host.check}`)}
        </p>
      )}
    </div>
  );
}

/** What has to be copied into DNS. Once it was found, it is folded away. */
function Records({ host, isOpen }: { host: TenantHost; isOpen: boolean }) {
  const t = useWords('hosts');
  const fields = (
    <div className="stack">
      <CopyField label={t('recordName')} text={host.record.name} />
      <CopyField label={t('recordValue')} text={host.record.value} />
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

function Actions({ host }: { host: TenantHost }) {
  const t = useWords('hosts');
  const { org } = useOrganization();
  const refresh = useRefresh();
  const [removing, setRemoving] = useState(false);
  const changed = () => refresh('listTenantHosts', 'getOrganization', 'listAuditLog');
  const check = useAction(async ({ key }: { key: string }) => {
    const now = await call('checkTenantHost', { org, host: host.id }, { key });
    await changed();
    if (host.state !== 'proved' && now.state === 'proved') toast(t('provedNow', { host: host.host }), 'good');
    else announce(now.check === null ? '' : t(`found.${now.check}`));
  });
  const makePrimary = useAction(async ({ key }: { key: string }) => {
    await call('makeTenantHostPrimary', { org, host: host.id }, { key });
    await changed();
    toast(t('madePrimary', { host: host.host }), 'good');
  });
  return (
    <>
      <ProblemNotice problem={check.problem ?? makePrimary.problem} />
      <div className="buttons">
        {host.proved_by !== 'operator' && (
          <Button size="small" busy={check.busy} onClick={() => void check.run()}>
            <ButtonText host={host.host}>{t('check')}</ButtonText>
          </Button>
        )}
        {host.state === 'proved' && !host.primary && (
          <Button size="small" busy={makePrimary.busy} onClick={() => void makePrimary.run()}>
            <ButtonText host={host.host}>{t('makePrimary')}</ButtonText>
          </Button>
        )}
        <Button size="small" kind="quiet" onClick={() => setRemoving(true)}>
          <ButtonText host={host.host}>{t('remove')}</ButtonText>
        </Button>
      </div>
      {removing && <Remove host={host} onClose={() => setRemoving(false)} />}
    </>
  );
}

/** For those who hear the buttons of several hosts one after the other. */
const ButtonText = ({ host, children }: { host: string; children: ReactNode }) => (
  <>
    {children}
    <span className="hidden"> ({host})</span>
  </>
);

function Remove({ host, onClose }: { host: TenantHost; onClose: () => void }) {
  const t = useWords('hosts');
  const { org } = useOrganization();
  const refresh = useRefresh();
  const remove = useAction(async () => {
    await call('removeTenantHost', { org, host: host.id });
    toast(t('removed', { host: host.host }), 'good');
    onClose();
    await refresh('listTenantHosts', 'getOrganization', 'listAuditLog');
  });
  return (
    <ConfirmDialog
      title={t('removeTitle', { host: host.host })}
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
