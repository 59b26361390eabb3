import { ticketCodeIn } from '@turnout/checkin';
import { FieldWedge, keyOf, type Typed } from '@turnout/ui/wedge';
import { useLayoutEffect, useRef } from 'react';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/**
 * Hears scanners that work as keyboards, wherever the focus is. The code is taken out of the field into which it was typed, and the
 * Enter at its end sends no form.
 */
export function useWedge(onCode: (code: Typed) => void): void {
  const latest = useRef(onCode);
  latest.current = onCode;
  useLayoutEffect(() => {
    const wedge = new FieldWedge<{ control: Control; value: string } | null>(ticketCodeIn);
    const press = (event: KeyboardEvent) => {
      if (event.isComposing) return;
      const now = isControl(event.target) ? { control: event.target, value: event.target.value } : null;
      const scanned = wedge.hear(keyOf(event), now);
      if (scanned === null) return;
      event.preventDefault();
      event.stopPropagation();
      if (scanned.before?.control.isConnected) restore(scanned.before.control, scanned.before.value);
      latest.current(scanned);
    };
    // Before anybody else hears the keys.
    document.addEventListener('keydown', press, { capture: true });
    return () => document.removeEventListener('keydown', press, { capture: true });
  }, []);
}

const isControl = (target: EventTarget | null): target is Control =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;

/** React remembers the value that it has set itself; set in this way, it takes the old one for something that was typed. */
function restore(control: Control, value: string): void {
  if (control.value === value) return;
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set;
  setter?.call(control, value);
  control.dispatchEvent(new Event(control instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
}
