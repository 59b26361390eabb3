import type { ReactNode } from 'react';
import type { Tone } from './tone.ts';

const SIGNS: Readonly<Record<Tone, string>> = { good: '✓', warn: '!', bad: '✕', accent: '●' };

/** A state in a word, with a sign: nothing is told by colour alone. */
export function Badge({ tone, sign, children }: { tone?: Tone; sign?: string; children: ReactNode }) {
  const drawn = sign ?? (tone === undefined ? '○' : SIGNS[tone]);
  return (
    <span className="badge" data-tone={tone}>
      {drawn !== '' && <span aria-hidden="true">{drawn}</span>}
      {children}
    </span>
  );
}
