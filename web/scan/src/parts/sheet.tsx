import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { keepFocus } from './focus.ts';
import { TestBand } from './page.tsx';
import { t } from './words.ts';

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** Takes the whole height, for lists. */
  readonly tall?: boolean;
}

/** Lies above the camera, which runs on. Escape and "Cancel" close it. */
export function Sheet({ title, onClose, children, tall = false }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useLayoutEffect(() => {
    const giveBack = keepFocus();
    dialog.current?.showModal();
    return giveBack;
  }, []);
  return (
    <dialog
      ref={dialog}
      class={tall ? 'sheet tall' : 'sheet'}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <TestBand />
      <header class="sheet-head">
        <h2 id={heading}>{title}</h2>
        <button type="button" class="plain" onClick={onClose}>
          {t('cancel')}
        </button>
      </header>
      {children}
    </dialog>
  );
}
