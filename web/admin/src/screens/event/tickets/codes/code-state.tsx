import type { Discount } from '@turnout/client';
import { Badge, useWords } from '@turnout/ui';
import { stateOf } from './discount-values.ts';

const TONES = {
  active: { tone: 'good' },
  inactive: {},
  later: { tone: 'warn' },
  over: {},
  used_up: { tone: 'warn' },
} as const;

/** Whether a code works now, and if not, why. */
export function CodeState({ discount }: { discount: Discount }) {
  const t = useWords('selling');
  const state = stateOf(discount, new Date());
  return <Badge {...TONES[state]}>{t(`state.${state}`)}</Badge>;
}
