import { useLayoutEffect, useRef } from 'react';
import { Burst } from './wedge.ts';

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/**
 * Hears scanners that work as keyboards, wherever the focus is. The code is taken out of the field into which it was typed, and the
 * Enter at its end sends no form.
 */
export function useWedge(onCode: (code: string) => void): void {
  const latest = useRef(onCode);
  latest.current = onCode;
  useLayoutEffect(() => {
    const burst = new Burst<{ control: Control; value: string } | null>();
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      const now = isControl(event.target) ? { control: event.target, value: event.target.value } : null;
      const scanned = burst.press(event.key, event.timeStamp, now);
      if (scanned === null) return;
      event.preventDefault();
      event.stopPropagation();
      if (scanned.before?.control.isConnected) restore(scanned.before.control, scanned.before.value);
      latest.current(scanned.code);
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
