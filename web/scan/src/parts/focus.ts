/**
 * Remembers what has the focus. What is returned gives it back, as soon as everything that is drawn now is drawn: until then, what had
 * the focus may lie below a dialog and cannot take it. No key falls in between. To be called by layout effects, because others run
 * after the screen was painted, and somebody may have pressed a key by then.
 */
export function keepFocus(): () => void {
  const before = document.activeElement;
  return () =>
    queueMicrotask(() => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    });
}
