import { Outlet, useBlocker } from '@tanstack/react-router';
import { ConfirmDialog, type TellUnsaved, Unsaved, useWords } from '@turnout/ui';
import { useState } from 'react';

/** How long leaving waits for a form that is being saved, before it is asked about. */
const PATIENCE_MS = 3000;

/** Around every screen: asks before a form with changes is left. While it is being saved, leaving waits for the answer instead. */
export function Root() {
  const { tell, settled, isUnsaved } = useUnsavedForms();
  const blocker = useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      // Another filter or tab of the same screen does not throw anything away.
      if (current.pathname === next.pathname) return false;
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

function useUnsavedForms() {
  const [forms] = useState(() => {
    const isSaving = new Map<string, boolean>();
    const waiting: (() => void)[] = [];
    const tell: TellUnsaved = (form, changed, saving = false) => {
      if (changed) isSaving.set(form, saving);
      else isSaving.delete(form);
      for (const go of waiting.splice(0)) go();
    };
    const saved = async () => {
      while ([...isSaving.values()].includes(true)) await new Promise<void>((told) => waiting.push(told));
    };
    const late = () => new Promise((over) => setTimeout(over, PATIENCE_MS));
    return { tell, settled: () => Promise.race([saved(), late()]), isUnsaved: () => isSaving.size > 0 };
  });
  return forms;
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
