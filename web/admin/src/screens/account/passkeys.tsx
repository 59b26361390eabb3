import type { Account, Passkey } from '@turnout/client';
import {
  Ago,
  Button,
  ConfirmDialog,
  Dialog,
  Form,
  Notice,
  ProblemNotice,
  Submit,
  TextField,
  toast,
  useFormats,
  useWords,
} from '@turnout/ui';
import { useState } from 'react';
import { useAction } from '../../frame/action.ts';
import { call, useRefresh } from '../../frame/api.ts';
import { deviceName } from '../sign-in/device.ts';
import { makePasskey, PasskeyCancelled, passkeysWork } from '../sign-in/passkey.ts';
import { useProof } from './proof.tsx';
import { Setting } from './setting.tsx';

export function Passkeys({ account }: { account: Account }) {
  const t = useWords('account');
  const { passkeys } = account;
  const possible = passkeysWork();
  const add = useAdd();
  return (
    <Setting
      name={t('passkeys')}
      actions={
        possible && (
          <Button size="small" busy={add.busy} onClick={add.go}>
            {t('passkeyAdd')}
          </Button>
        )
      }
      below={
        <div className="stack" data-gap="small">
          {add.cancelled && <Notice tone="warn">{t('passkeyCancelled')}</Notice>}
          <ProblemNotice problem={add.problem} />
          {passkeys.length > 0 && (
            <ul className="items">
              {passkeys.map((one) => (
                <PasskeyItem key={one.id} passkey={one} />
              ))}
            </ul>
          )}
        </div>
      }
    >
      {passkeys.length === 0 && t(possible ? 'passkeysNone' : 'passkeysImpossible')}
    </Setting>
  );
}

function useAdd() {
  const t = useWords('account');
  const prove = useProof();
  const refresh = useRefresh();
  const [cancelled, setCancelled] = useState(false);
  const { run, busy, problem } = useAction(async () => {
    setCancelled(false);
    try {
      return await prove(() => makePasskey(deviceName()));
    } catch (error) {
      if (!(error instanceof PasskeyCancelled)) throw error;
      setCancelled(true);
      return undefined;
    }
  });
  const go = async () => {
    if ((await run()) === undefined) return;
    toast(t('passkeyAdded'), 'good');
    await refresh('getAccount', 'listSessions');
  };
  return { go, busy, problem, cancelled };
}

function PasskeyItem({ passkey }: { passkey: Passkey }) {
  const t = useWords('account');
  const formats = useFormats();
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null);
  const close = () => setOpen(null);
  return (
    <li>
      <div>
        <strong>{passkey.name}</strong>
        <div className="soft small">
          {t('passkeyMade', { date: formats.date(passkey.created_at) })},{' '}
          {passkey.last_used_at === null ? (
            t('passkeyNever')
          ) : (
            <>
              {t('passkeyUsed')} <Ago at={passkey.last_used_at} />
            </>
          )}
        </div>
      </div>
      <div className="buttons">
        <Button kind="quiet" size="small" onClick={() => setOpen('rename')}>
          {t('passkeyRename')}
          <span className="hidden"> {passkey.name}</span>
        </Button>
        <Button kind="quiet" size="small" onClick={() => setOpen('remove')}>
          {t('passkeyRemove')}
          <span className="hidden"> {passkey.name}</span>
        </Button>
      </div>
      {open === 'rename' && <Rename passkey={passkey} onClose={close} />}
      {open === 'remove' && <Remove passkey={passkey} onClose={close} />}
    </li>
  );
}

function Rename({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const t = useWords('account');
  const refresh = useRefresh();
  return (
    <Dialog title={t('passkeyRenameTitle')} onClose={onClose}>
      <Form
        values={{ name: passkey.name }}
        submit={({ name }) => call('changePasskey', { passkey: passkey.id, body: { name: name.trim() } })}
        done={async () => {
          onClose();
          toast(t('passkeyRenamed'), 'good');
          await refresh('getAccount');
        }}
      >
        {({ field }) => (
          <>
            <TextField label={t('name')} autoFocus maxLength={100} {...field('name')} />
            <div className="buttons">
              <Submit />
            </div>
          </>
        )}
      </Form>
    </Dialog>
  );
}

function Remove({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const t = useWords('account');
  const prove = useProof();
  const refresh = useRefresh();
  const remove = useAction(async () => {
    await prove(() => call('removePasskey', { passkey: passkey.id }));
    return true;
  });
  return (
    <ConfirmDialog
      title={t('passkeyRemoveTitle', { name: passkey.name })}
      action={t('passkeyRemove')}
      danger
      busy={remove.busy}
      onClose={onClose}
      onConfirm={async () => {
        if ((await remove.run()) !== true) return;
        onClose();
        toast(t('passkeyRemoved'), 'good');
        await refresh('getAccount', 'listSessions');
      }}
    >
      <p>{t('passkeyRemoveText')}</p>
      <ProblemNotice problem={remove.problem} />
    </ConfirmDialog>
  );
}
