import type { Decision } from '@turnout/checkin';
import { useEvent } from '../../../../frame/event.tsx';
import { useStateText } from '../../../../parts/status.tsx';
import { useWriting } from './use-writing.ts';
import { type RefusedScan, whyOf } from './why.ts';

/** Why the door refuses, with the values that made the rule decide. */
export function useWhy(): (decision: Decision, about: RefusedScan) => string {
  const writing = useWriting();
  const textOf = useStateText();
  const { timezone, days } = useEvent();
  return (decision, about) =>
    whyOf(decision, about, { writing, timezone, days, statusText: (status) => textOf('registration', status) });
}
