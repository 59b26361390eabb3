import { AlertIcon, CheckIcon, CloseIcon, type Icon } from '@turnout/ui';
import type { ReactNode } from 'react';
import type { DoorTone } from './points/simulate.ts';

const ICONS: Readonly<Record<DoorTone, Icon>> = { good: CheckIcon, warn: AlertIcon, bad: CloseIcon };

/** An answer of the door in its colours, always with sign and word. What it says is read out to those who cannot see it. */
export function DoorAnswer({
  tone,
  title,
  result,
  admitted,
  children,
}: {
  tone: DoorTone;
  title: ReactNode;
  /** For programs that look at the screen. */
  result: string;
  admitted: boolean;
  children?: ReactNode;
}) {
  const ToneIcon = ICONS[tone];
  return (
    <div className="door-answer" data-tone={tone} data-result={result} data-admitted={admitted} role="status">
      <span className="door-sign" aria-hidden="true">
        <ToneIcon />
      </span>
      <div className="door-said">
        <strong className="door-title">{title}</strong>
        {children}
      </div>
    </div>
  );
}
