import { Outlet, useBlocker } from '@tanstack/react-router';
import { ConfirmDialog, Unsaved, useWords } from '@turnout/ui';
import { useState } from 'react';
import { unsavedForms } from './unsaved.ts';

/** Around every screen: asks before a form with changes is left. While it is being saved, leaving waits for the answer instead. */
export function Root() {
  const [{ tell, settled, isUnsaved }] = useState(unsavedForms);
  const blocker = useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      // Another filter or tab of the same screen does not throw anything away; another section of settings does.
      if (current.pathname === next.pathname && partOf(current.search) === partOf(next.search)) return false;
      await settled();
      return isUnsaved();
    },
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  });
  return (
    <Unsaved value={tell}>
      <Outlet />
      {blocker.status === 'blocked' && <Leaving stay={blocker.reset} go={blocker.proceed} />}
    </Unsaved>
  );
}

const partOf = (search: object): unknown => ('part' in search ? search.part : undefined);

function Leaving({ stay, go }: { stay: () => void; go: () => void }) {
  const t = useWords('common');
  return (
    <ConfirmDialog
      title={t('leaveTitle')}
      action={t('leaveGo')}
      cancel={t('leaveStay')}
      danger
      onConfirm={go}
      onClose={stay}
    >
      <p>{t('leaveText')}</p>
    </ConfirmDialog>
  );
}
