import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react';
import { PaletteContext } from './in-shell.ts';
import { words } from './words.ts';

// Loaded when it is first opened, with its words.
const Opened = lazy(async () => {
  const [screen] = await Promise.all([import('../screens/palette.tsx'), words.need('palette')]);
  return screen;
});

/** Ctrl-K or ⌘K anywhere finds anything. */
export function Palette({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
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
        <Suspense fallback={null}>
          <Opened onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </PaletteContext>
  );
}
