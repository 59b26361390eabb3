import { useLayoutEffect, useRef } from 'react';

/**
 * What single keys do on this screen: `useKeys({ j: next })`. They do nothing while somebody types, with a modifier, or while a dialog
 * or a menu is open, because then the key is meant for that.
 */
export function useKeys(keys: Readonly<Record<string, (() => void) | undefined>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const act = latest.current[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (act === undefined || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
      if (isBusy(event.target)) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

const TAKES_KEYS = 'input, textarea, select, [role=menu], [role=listbox], [contenteditable]';

const isBusy = (target: EventTarget | null): boolean =>
  (target instanceof Element && target.closest(TAKES_KEYS) !== null) ||
  document.querySelector('dialog[open], [role=menu], .popup-panel') !== null;
