import { useSyncExternalStore } from 'react';
import './css/overlay.css';
import { Button } from './button.tsx';
import { CloseIcon } from './icons.tsx';
import type { Tone } from './tone.ts';
import { useWords } from './words.tsx';

interface ShownToast {
  id: number;
  text: string;
  tone: Tone | undefined;
  action: ToastAction | undefined;
}
/** What one can do about it, such as going to what it tells of. */
export interface ToastAction {
  label: string;
  onAction: () => void;
}
let toasts: readonly ShownToast[] = [];
let announcement = '';
let serial = 0;
const listeners = new Set<() => void>();
const changed = () => {
  for (const listener of listeners) listener();
};
const listen = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Says something to screen readers only, such as a result that everybody else sees. */
export function announce(text: string): void {
  // The same text twice is not read again unless something differs.
  announcement = announcement === text ? `${text}\u00a0` : text;
  changed();
}

/**
 * A short message in the corner, for what has been done. It goes by itself, with an action later; faults belong beside what they are
 * about.
 */
export function toast(text: string, tone?: Tone, action?: ToastAction): void {
  const one = { id: ++serial, text, tone, action };
  toasts = [...toasts.slice(-2), one];
  announce(text);
  setTimeout(() => dismiss(one.id), action === undefined ? 6000 : 20_000);
}
const dismiss = (id: number) => {
  toasts = toasts.filter((one) => one.id !== id);
  changed();
};

/** Stands once in the page. */
export function Toasts() {
  const t = useWords('common');
  const list = useSyncExternalStore(listen, () => toasts);
  const text = useSyncExternalStore(listen, () => announcement);
  return (
    <>
      <div className="hidden" role="status" aria-live="polite">
        {text}
      </div>
      <section className="toasts" aria-label={t('messages')} hidden={list.length === 0}>
        {list.map((one) => (
          <div key={one.id} className="toast" data-tone={one.tone}>
            <span>
              {one.text}
              {one.action !== undefined && (
                <>
                  {' '}
                  <Button
                    kind="link"
                    onClick={() => {
                      dismiss(one.id);
                      one.action?.onAction();
                    }}
                  >
                    {one.action.label}
                  </Button>
                </>
              )}
            </span>
            <Button kind="quiet" size="small" aria-label={t('close')} onClick={() => dismiss(one.id)}>
              <CloseIcon />
            </Button>
          </div>
        ))}
      </section>
    </>
  );
}
