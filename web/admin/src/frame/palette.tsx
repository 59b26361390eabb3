import { lazy, type ReactNode, type RefObject, Suspense, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { PaletteContext } from './in-shell.ts';
import { words } from './words.ts';

// The palette and its texts are loaded when somebody opens it for the first time.
const PaletteScreen = lazy(async () => {
  const [screen] = await Promise.all([import('./palette/dialog.tsx'), words.need('palette')]);
  return screen;
});

/** Ctrl-K or ⌘K anywhere finds anything. */
export function Palette({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const early = useRef('');
  const close = useCallback(() => setOpen(false), []);
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
  return (
    <PaletteContext value={useCallback(() => setOpen(true), [])}>
      {children}
      {open && (
        <Suspense fallback={<KeyBuffer early={early} onClose={close} />}>
          <PaletteScreen early={early} onClose={close} />
        </Suspense>
      )}
    </PaletteContext>
  );
}

/** Collects what somebody types before the search is loaded, so that the field below does not get it. */
function KeyBuffer({ early, onClose }: { early: RefObject<string>; onClose: () => void }) {
  // A layout effect, because it ends in the same moment in which the search takes over; no key may fall in between.
  useLayoutEffect(() => {
    early.current = '';
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Escape') onClose();
      else if (event.key === 'Backspace') early.current = early.current.slice(0, -1);
      else if (event.key.length === 1) early.current += event.key;
      else if (event.key === 'Tab' || event.key === 'Shift') return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', press, { capture: true });
    return () => window.removeEventListener('keydown', press, { capture: true });
  }, [early, onClose]);
  return null;
}
