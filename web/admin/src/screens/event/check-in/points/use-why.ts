import type { Decision } from '@turnout/checkin';
import { useWords } from '@turnout/ui';
import { useEvent } from '../../../../frame/event.tsx';
import { useStateText } from '../../../../parts/status.tsx';
import { useWriting } from './use-writing.ts';
import { type RefusedScan, whyOf } from './why.ts';

/** Why the door refuses, with the values that made the rule decide. */
export function useWhy(): (decision: Decision, about: RefusedScan) => string {
  const t = useWords('door');
  const writing = useWriting();
  const textOf = useStateText();
  const { timezone, days } = useEvent();
  return (decision, about) =>
    whyOf(decision, about, { t, writing, timezone, days, statusText: (status) => textOf('registration', status) });
}
