import type { ReactNode } from 'react';
import type { Icon } from './icon.tsx';
import { AlertIcon, CheckIcon, CircleIcon, CloseIcon } from './icons.tsx';
import type { Tone } from './tone.ts';

const ICONS: Readonly<Record<Tone, Icon>> = { good: CheckIcon, warn: AlertIcon, bad: CloseIcon };

/** A state in a word, with a sign: nothing is told by colour alone. `icon`: null where the word is no state, such as *Test*. */
export function Badge({ tone, icon, children }: { tone?: Tone; icon?: Icon | null; children: ReactNode }) {
  const Sign = icon === undefined ? (tone === undefined ? CircleIcon : ICONS[tone]) : icon;
  return (
    <span className="badge" data-tone={tone}>
      {Sign !== null && <Sign />}
      {children}
    </span>
  );
}
