import { refuse } from '../../common/refusal.ts';
import type { Caller } from '../caller.ts';

/**
 * The monthly allowance of calls. Calls go on beyond 100 %; from 150 % on they are refused until the 1st of the next month (UTC).
 * Owners get one mail at 80 % and one at 100 %.
 */
export function requireQuota(caller: Caller): void {
  const allowance = caller.plan.limits.api_calls_monthly;
  if (allowance === null || caller.usage.calls < allowance * 1.5) return;
  const [year, month] = caller.usage.month.split('-').map(Number) as [number, number];
  const until = new Date(Date.UTC(year, month, 1));
  refuse('quota_exceeded', {
    message: `This organization has made ${caller.usage.calls} calls this month, which is 150 % or more of the ${allowance} in its plan. Calls are refused until ${until.toISOString()}; a larger plan allows them at once.`,
  });
}

export type Warning = 80 | 100;

/** The warnings that are due. Calls are counted several at a time, so one count may pass both thresholds. */
export function warningsDue(calls: number, allowance: number | null, warned: Record<Warning, boolean>): Warning[] {
  if (allowance === null) return [];
  return ([80, 100] as const).filter((percent) => calls >= (allowance * percent) / 100 && !warned[percent]);
}
