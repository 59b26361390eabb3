import { Outlet, useBlocker } from '@tanstack/react-router';
import { ConfirmDialog, Unsaved, useWords } from '@turnout/ui';
import { useCallback, useRef } from 'react';

/** Around every screen: asks before a form with changes is left. */
export function Root() {
  const unsaved = useRef(new Set<string>());
  const tell = useCallback((form: string, changed: boolean) => {
    if (changed) unsaved.current.add(form);
    else unsaved.current.delete(form);
  }, []);
  const blocker = useBlocker({
    // Another filter or tab of the same screen does not throw anything away.
    shouldBlockFn: ({ current, next }) => unsaved.current.size > 0 && current.pathname !== next.pathname,
    enableBeforeUnload: () => unsaved.current.size > 0,
    withResolver: true,
  });
  return (
    <Unsaved value={tell}>
      <Outlet />
      {blocker.status === 'blocked' && <Leaving stay={blocker.reset} go={blocker.proceed} />}
    </Unsaved>
  );
}

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
