import { lazy, Suspense, useState } from 'react';
import { Button } from './button.tsx';
import type { MenuProps } from './menu-props.ts';

// react-aria is loaded when somebody reaches for a menu, not with the screen that has one.
const load = () => import('./menu-aria.tsx');
const OpenMenu = lazy(load);

/** A button that opens a list of actions. */
export function Menu({ label, groups, button, children }: MenuProps) {
  const [isWanted, setIsWanted] = useState(false);
  const closed = (
    <Button
      {...button}
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setIsWanted(true)}
    >
      {children}
    </Button>
  );
  if (!isWanted) return closed;
  return (
    <Suspense fallback={closed}>
      <OpenMenu label={label} groups={groups} button={button}>
        {children}
      </OpenMenu>
    </Suspense>
  );
}
