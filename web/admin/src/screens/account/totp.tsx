import type { Account, TotpOffer } from '@turnout/client';
import {
  Button,
  ConfirmDialog,
  CopyField,
  Dialog,
  Form,
  ProblemNotice,
  Skeleton,
  Submit,
  TextField,
  toast,
  useWords,
} from '@turnout/ui';
import { useEffect, useState } from 'react';
import { useAction } from '../../frame/action.ts';
import { call, useRefresh } from '../../frame/api.ts';
import { useProof } from './proof.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { Setting } from './setting.tsx';

type Open = 'set_up' | 'remove' | 'renew' | { codes: readonly string[] } | null;

export function Totp({ account }: { account: Account }) {
  const t = useWords('account');
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const button = (what: 'set_up' | 'remove' | 'renew', text: string) => (
    <Button size="small" onClick={() => setOpen(what)}>
      {text}
    </Button>
  );
  return (
    <Setting
      name={t('totp')}
      actions={
        account.totp ? (
          <>
            {button('renew', t('codesNew'))}
            {button('remove', t('totpRemove'))}
          </>
        ) : (
          button('set_up', t('totpSetUp'))
        )
      }
    >
      {account.totp ? t('totpOn', { count: account.recovery_codes_left }) : t('totpOff')}
      {open === 'set_up' && <SetUp onCodes={(codes) => setOpen({ codes })} onClose={close} />}
      {open === 'remove' && <Remove onClose={close} />}
      {open === 'renew' && <Renew onCodes={(codes) => setOpen({ codes })} onClose={close} />}
      {typeof open === 'object' && open !== null && (
        <RecoveryCodes codes={open.codes} email={account.email} onClose={close} />
      )}
    </Setting>
  );
}

function SetUp({ onCodes, onClose }: { onCodes: (codes: readonly string[]) => void; onClose: () => void }) {
  const t = useWords('account');
  const prove = useProof();
  const refresh = useRefresh();
  const [offer, setOffer] = useState<TotpOffer | null>(null);
  const { run, problem } = useAction(({ key }: { key: string }) => prove(() => call('startTotp', {}, { key })));
  useEffect(() => {
    void run().then((made) => made !== undefined && setOffer(made));
  }, [run]);
  return (
    <Dialog title={t('totpTitle')} onClose={onClose}>
      <ProblemNotice problem={problem} />
      {offer === null && problem === null && <Skeleton />}
      {offer !== null && (
        <>
          <p className="soft">{t('totpScan')}</p>
          <Qr offer={offer} />
          <CopyField label={t('totpSecret')} text={offer.secret.replaceAll(/.{4}(?=.)/g, '$& ')} />
          <Form
            values={{ code: '' }}
            careless
            submit={({ code }, { key }) =>
              prove(() => call('confirmTotp', { body: { code: code.replaceAll(/\s/g, '') } }, { key }))
            }
            done={async ({ recovery_codes }) => {
              onCodes(recovery_codes);
              toast(t('totpDone'), 'good');
              await refresh('getAccount', 'listSessions');
            }}
          >
            {({ field }) => (
              <>
                <TextField
                  label={t('totpCode')}
                  hint={t('totpCodeHint')}
                  inputMode="numeric"
                  autoComplete="one-time-code"
                  maxLength={7}
                  data-code=""
                  {...field('code')}
                />
                <div className="buttons">
                  <Submit>{t('totpConfirm')}</Submit>
                </div>
              </>
            )}
          </Form>
        </>
      )}
    </Dialog>
  );
}

/** Black on white in both appearances, because many cameras read nothing else. */
function Qr({ offer }: { offer: TotpOffer }) {
  const t = useWords('account');
  return (
    <svg className="qr" viewBox={`0 0 ${offer.qr_size} ${offer.qr_size}`} role="img" aria-label={t('totpQr')}>
      <path d={offer.qr} fill="currentColor" shapeRendering="crispEdges" />
    </svg>
  );
}

function Remove({ onClose }: { onClose: () => void }) {
  const t = useWords('account');
  const prove = useProof();
  const refresh = useRefresh();
  const remove = useAction(async () => {
    await prove(() => call('removeTotp', {}));
    return true;
  });
  return (
    <ConfirmDialog
      title={t('totpRemoveTitle')}
      action={t('totpRemove')}
      danger
      busy={remove.busy}
      onClose={onClose}
      onConfirm={async () => {
        if ((await remove.run()) !== true) return;
        onClose();
        toast(t('totpRemoved'), 'good');
        await refresh('getAccount', 'listSessions');
      }}
    >
      <p>{t('totpRemoveText')}</p>
      <ProblemNotice problem={remove.problem} />
    </ConfirmDialog>
  );
}

function Renew({ onCodes, onClose }: { onCodes: (codes: readonly string[]) => void; onClose: () => void }) {
  const t = useWords('account');
  const prove = useProof();
  const refresh = useRefresh();
  const renew = useAction(({ key }: { key: string }) => prove(() => call('renewRecoveryCodes', {}, { key })));
  return (
    <ConfirmDialog
      title={t('codesNewTitle')}
      action={t('codesNew')}
      busy={renew.busy}
      onClose={onClose}
      onConfirm={async () => {
        const made = await renew.run();
        if (made === undefined) return;
        onCodes(made.recovery_codes);
        await refresh('getAccount');
      }}
    >
      <p>{t('codesNewText')}</p>
      <ProblemNotice problem={renew.problem} />
    </ConfirmDialog>
  );
}
