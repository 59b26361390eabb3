import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import './css/overlay.css';
import { Button } from './button.tsx';
import { CloseIcon } from './icons.tsx';
import { useWords } from './words.tsx';

const FIRST_FIELD = `.dialog-body :is(input:not([type='hidden'], [type='radio'], [readonly]), select, textarea)`;

/**
 * Closes a dialog, and gives the focus back to where it was. Chromium does that without the caret, so that what is typed into the field
 * would be lost until somebody clicks into it.
 */
export function closeDialog(dialog: HTMLDialogElement): void {
  dialog.close();
  const focused = document.activeElement;
  if (!(focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement)) return;
  if (focused.selectionStart !== null)
    focused.setSelectionRange(focused.selectionStart, focused.selectionEnd ?? focused.selectionStart);
  else if (focused.type === 'email' || focused.type === 'number') {
    // These do not tell where their caret is. The browser remembers it, and puts it back when they take the focus anew.
    focused.blur();
    focused.focus();
  }
}

/**
 * The browser's own dialog: the rest of the page is inert, Escape closes it, and the focus goes back to where it was. Draw it only
 * while it is open.
 */
export function Dialog({
  title,
  onClose,
  wide,
  children,
}: {
  title: string;
  onClose: () => void;
  wide?: boolean;
  children: ReactNode;
}) {
  const t = useWords('common');
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  // It is closed before it is removed; otherwise the focus would not go back.
  useLayoutEffect(() => {
    const element = dialog.current!;
    if (!element.open) element.showModal();
    // A browser would begin with the button that closes it. React does not write the attribute that says where to begin.
    element.querySelector<HTMLElement>(FIRST_FIELD)?.focus();
    return () => closeDialog(element);
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same as a click beside the dialog
    <dialog
      ref={dialog}
      className="dialog"
      data-wide={wide || undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        // A dialog inside this one closes only itself.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <header className="dialog-head">
        <h2 id={id}>{title}</h2>
        <Button kind="quiet" size="small" aria-label={t('close')} onClick={onClose}>
          <CloseIcon />
        </Button>
      </header>
      <div className="dialog-body">{children}</div>
    </dialog>
  );
}

/** Asks before something that cannot be undone. `action` says what happens: “Revoke key”, not “OK”. */
export function ConfirmDialog({
  title,
  action,
  danger,
  busy,
  cancel,
  onConfirm,
  onClose,
  children,
}: {
  title: string;
  action: string;
  /** What the other button says: “Cancel” unless told otherwise. */
  cancel?: string;
  danger?: boolean;
  busy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  children?: ReactNode;
}) {
  const t = useWords('common');
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <div className="buttons">
        <Button kind={danger ? 'danger-main' : 'main'} onClick={onConfirm} {...(busy && { busy })}>
          {action}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          {cancel ?? t('cancel')}
        </Button>
      </div>
    </Dialog>
  );
}
