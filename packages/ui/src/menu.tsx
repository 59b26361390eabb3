import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Button, type ButtonProps } from './button.tsx';

export interface MenuItem {
  id: string;
  label: ReactNode;
  hint?: ReactNode;
  /** Where it leads; else `onAction` runs. A link of the app goes by the router. */
  href?: string;
  onAction?: () => void;
  danger?: boolean;
  disabled?: boolean;
  /** Marks the one of several that applies now. */
  chosen?: boolean;
}
export interface MenuGroup {
  title?: string;
  items: readonly MenuItem[];
}
export interface MenuProps {
  /** The name of the button for those who cannot see it; needed if its content is only an icon. */
  label?: string | undefined;
  groups: readonly MenuGroup[];
  button?: (ButtonProps & { className?: string }) | undefined;
  children: ReactNode;
}

// react-aria is loaded when somebody reaches for a menu, not with the screen that has one.
const load = () => import('./menu-aria.tsx');
const OpenMenu = lazy(load);

/** A button that opens a list of actions. */
export function Menu({ label, groups, button, children }: MenuProps) {
  const [wanted, setWanted] = useState(false);
  const closed = (
    <Button
      {...button}
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setWanted(true)}
    >
      {children}
    </Button>
  );
  if (!wanted) return closed;
  return (
    <Suspense fallback={closed}>
      <OpenMenu label={label} groups={groups} button={button}>
        {children}
      </OpenMenu>
    </Suspense>
  );
}
