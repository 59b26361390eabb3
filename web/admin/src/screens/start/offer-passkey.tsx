import { Button, Notice, PlainPage, ProblemNotice, toast, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useAction } from '../../frame/action.ts';
import { deviceName } from '../sign-in/device.ts';
import { makePasskey, PasskeyCancelled } from '../sign-in/passkey.ts';

/** After a new account was made: the moment to add a passkey. */
export function OfferPasskey({ onDone }: { onDone: () => void }) {
  const t = useWords('start');
  const [cancelled, setCancelled] = useState(false);
  const add = useAction(async () => {
    setCancelled(false);
    try {
      return await makePasskey(deviceName());
    } catch (error) {
      if (!(error instanceof PasskeyCancelled)) throw error;
      setCancelled(true);
      return undefined;
    }
  });
  return (
    <PlainPage key="passkey" title={t('passkeyTitle')} lead={t('passkeyText')}>
      <div className="stack" data-gap="small">
        <Button
          kind="main"
          wide
          autoFocus
          busy={add.busy}
          onClick={async () => {
            if ((await add.run()) === undefined) return;
            toast(t('passkeyAdded'), 'good');
            onDone();
          }}
        >
          {t('passkeyAdd')}
        </Button>
        <Button kind="quiet" wide onClick={onDone}>
          {t('passkeyLater')}
        </Button>
      </div>
      {cancelled && <Notice tone="warn">{t('passkeyCancelled')}</Notice>}
      <ProblemNotice problem={add.problem} />
    </PlainPage>
  );
}
