import type { ReactNode } from 'react';
import type { DoorTone } from './points/simulate.ts';

const SIGNS: Readonly<Record<DoorTone, string>> = { good: '✓', warn: '!', bad: '✕' };

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
  return (
    <div className="door-answer" data-tone={tone} data-result={result} data-admitted={admitted} role="status">
      <span className="door-sign" aria-hidden="true">
        {SIGNS[tone]}
      </span>
      <div className="door-said">
        <strong className="door-title">{title}</strong>
        {children}
      </div>
    </div>
  );
}
