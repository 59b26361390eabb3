import type { PairingCode } from '@turnout/client';
import { Button, CopyField, Dialog, Form, Notice, Submit, TextField, toast, useFormats, useWords } from '@turnout/ui';
import { useEffect, useState } from 'react';
import { call, useRefresh } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { QrCode } from '../../../../parts/qr.tsx';
import { useDevices } from './devices-data.ts';

/** Pairs a scanner: a code to scan or to type, valid for ten minutes. The dialog notices when the device is there. */
export function Pair({ onClose }: { onClose: () => void }) {
  const t = useWords('door');
  const [made, setMade] = useState<{ pairing: PairingCode; known: readonly string[] } | null>(null);
  const { data: devices = [] } = useDevices();
  const refresh = useRefresh();
  const { base } = useEvent();
  const arrived = made === null ? undefined : devices.find(({ id }) => !made.known.includes(id));
  const name = arrived?.name;
  useEffect(() => {
    if (name === undefined) return;
    toast(t('paired', { name }), 'good');
    onClose();
  }, [name, onClose, t]);
  return (
    <Dialog title={t('pairTitle')} onClose={onClose}>
      {made === null ? (
        <Form
          values={{ name: '' }}
          careless
          submit={({ name: called }, { key }) =>
            call('createPairingCode', { ...base, body: called.trim() === '' ? {} : { name: called.trim() } }, { key })
          }
          done={async (pairing) => {
            const known = devices.map(({ id }) => id);
            setMade({ pairing, known });
            await refresh('listDevices');
          }}
        >
          {({ field }) => (
            <>
              <TextField
                label={t('name')}
                hint={t('pairNameHint')}
                maxLength={100}
                autoComplete="off"
                required={false}
                {...field('name')}
              />
              <div className="buttons">
                <Submit>{t('pair')}</Submit>
              </div>
            </>
          )}
        </Form>
      ) : (
        <Code pairingCode={made.pairing} onAgain={() => setMade(null)} />
      )}
    </Dialog>
  );
}

function Code({ pairingCode: { code, expires_at }, onAgain }: { pairingCode: PairingCode; onAgain: () => void }) {
  const t = useWords('door');
  const left = useSecondsUntil(expires_at);
  const formats = useFormats();
  if (left <= 0)
    return (
      <Notice tone="warn" title={t('pairExpired')}>
        <Button size="small" onClick={onAgain}>
          {t('pairAgain')}
        </Button>
      </Notice>
    );
  const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  return (
    <div className="stack door-pair">
      <ol className="door-steps">
        <li>{t('pairStep1', { address: `${window.location.host}/scan` })}</li>
        <li>{t('pairStep2')}</li>
      </ol>
      {/* The code stands behind `#`, which browsers do not send to any server. */}
      <QrCode text={`${window.location.origin}/scan#pair=${code}`} label={t('pairQr')} size="14rem" />
      <CopyField label={t('pairCode')} text={code} />
      <p className="soft small number" role="timer">
        {t('pairLeft', { time: clock, until: formats.time(expires_at) })}
      </p>
      <p className="soft" role="status">
        {t('pairWaiting')}
      </p>
    </div>
  );
}

function useSecondsUntil(at: string): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return Math.ceil((Date.parse(at) - now) / 1000);
}
