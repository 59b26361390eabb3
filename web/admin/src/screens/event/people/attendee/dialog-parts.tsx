import { Button, Submit, toast, useWords } from '@turnout/ui';
import type { ReactNode } from 'react';
import { useRefresh } from '../../../../frame/api.ts';
import { CHANGED } from '../changed.ts';

/** The buttons below a form in a dialog. */
export function DialogButtons({
  children,
  danger,
  onClose,
}: {
  children: ReactNode;
  danger?: boolean;
  onClose: () => void;
}) {
  const t = useWords('people');
  return (
    <div className="buttons">
      <Submit {...(danger && { kind: 'danger-main' as const })}>{children}</Submit>
      <Button kind="quiet" onClick={onClose}>
        {t('back')}
      </Button>
    </div>
  );
}

/** What every dialog does after it worked: it closes, says so, and everything is asked for again. */
export function useDone(onClose: () => void): (text: string) => void {
  const refresh = useRefresh();
  return (text) => {
    onClose();
    toast(text, 'good');
    void refresh(...CHANGED);
  };
}

export const reasonIn = (reason: string): { reason?: string } =>
  reason.trim() === '' ? {} : { reason: reason.trim() };
