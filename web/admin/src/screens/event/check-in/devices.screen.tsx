import type { Device } from '@turnout/client';
import {
  Ago,
  Badge,
  Button,
  ConfirmDialog,
  EmptyState,
  Page,
  ProblemNotice,
  Table,
  toast,
  useWords,
} from '@turnout/ui';
import { useState } from 'react';
import { useAction } from '../../../frame/action.ts';
import { call, useRefresh } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { useOrganization } from '../../../frame/organization.tsx';
import { QueryResult } from '../../../frame/query-result.tsx';
import { Battery, Queue } from './devices/device-states.tsx';
import { useDevices } from './devices/devices-data.ts';
import { Pair } from './devices/pair.tsx';
import './check-in.css';
import { ScansFromFile } from './reconciliation/scans-from-file.tsx';

/** A scanner tells every few seconds that it is there. */
const SILENT_MS = 120_000;

/** Paired scanners: how they are, how to pair one, and how to unpair one that was lost. */
export default function Devices() {
  const t = useWords('door');
  const { may } = useOrganization();
  const devices = useDevices();
  const [pairing, setPairing] = useState(false);
  const [taking, setTaking] = useState(false);
  const pair = may('door.devices') && (
    <Button kind="main" onClick={() => setPairing(true)}>
      {t('pair')}
    </Button>
  );
  const take = may('door.scan') && <Button onClick={() => setTaking(true)}>{t('handed')}</Button>;
  return (
    <Page
      title={t('devices')}
      lead={t('devicesLead')}
      actions={
        <>
          {take}
          {(devices.data?.length ?? 0) > 0 && pair}
        </>
      }
    >
      <QueryResult query={devices}>
        {(data) =>
          data.length === 0 ? (
            <EmptyState title={t('noDevices')} action={pair}>
              {t('noDevicesText')}
            </EmptyState>
          ) : (
            <List devices={data} />
          )
        }
      </QueryResult>
      {pairing && <Pair onClose={() => setPairing(false)} />}
      {taking && <ScansFromFile onClose={() => setTaking(false)} />}
    </Page>
  );
}

function List({ devices }: { devices: readonly Device[] }) {
  const t = useWords('door');
  const [unpairing, setUnpairing] = useState<Device | null>(null);
  return (
    <>
      <Table
        label={t('devices')}
        rows={devices}
        keyOf={(one) => one.id}
        columns={[
          { id: 'name', head: t('name'), cell: (one) => <bdi>{one.name}</bdi> },
          { id: 'seen', head: t('lastSeen'), cell: (one) => <LastSeen at={one.seen_at} /> },
          { id: 'queue', head: t('queue'), align: 'end', cell: (one) => <Queue length={one.queue_length} /> },
          { id: 'battery', head: t('battery'), align: 'end', cell: (one) => <Battery level={one.battery} /> },
          { id: 'version', head: t('version'), cell: (one) => one.version ?? '–' },
          {
            id: 'unpair',
            head: '',
            align: 'end',
            cell: (one) => (
              <Button size="small" aria-label={t('unpairThis', { name: one.name })} onClick={() => setUnpairing(one)}>
                {t('unpair')}
              </Button>
            ),
          },
        ]}
      />
      {unpairing !== null && <Unpair device={unpairing} onClose={() => setUnpairing(null)} />}
    </>
  );
}

function LastSeen({ at }: { at: string | null }) {
  const t = useWords('door');
  if (at === null) return <span className="soft">{t('neverSeen')}</span>;
  const silent = Date.now() - Date.parse(at) > SILENT_MS;
  return silent ? (
    <Badge tone="warn">
      <Ago at={at} />
    </Badge>
  ) : (
    <Badge tone="good">
      <Ago at={at} />
    </Badge>
  );
}

function Unpair({ device, onClose }: { device: Device; onClose: () => void }) {
  const t = useWords('door');
  const { base } = useEvent();
  const refresh = useRefresh();
  const unpair = useAction(async (id: string, _options: { key: string }) => {
    await call('revokeDevice', { ...base, device: id });
    toast(t('unpaired', { name: device.name }), 'good');
    onClose();
    await refresh('listDevices');
  });
  return (
    <ConfirmDialog
      title={t('unpairTitle', { name: device.name })}
      action={t('unpair')}
      danger
      busy={unpair.busy}
      onConfirm={() => void unpair.run(device.id)}
      onClose={onClose}
    >
      <p>{t('unpairText')}</p>
      {(device.queue_length ?? 0) > 0 && <p>{t('unpairQueue', { count: device.queue_length ?? 0 })}</p>}
      <ProblemNotice problem={unpair.problem} />
    </ConfirmDialog>
  );
}
