/**
 * Remembers what has the focus, and returns a function that gives the focus back to it. Call both in a layout effect: other effects
 * run after the screen was painted, and a key that is pressed before that would be lost. The focus is given back in a microtask,
 * because a dialog that is being removed still makes everything below it inert; no key can come before a microtask.
 */
export function keepFocus(): () => void {
  const before = document.activeElement;
  return () =>
    queueMicrotask(() => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    });
}
