import type { ReactNode } from 'react';
import type { ButtonProps } from './button.tsx';

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
