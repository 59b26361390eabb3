import type { Caller } from './caller.ts';
import { refuse } from './refusal.ts';

/**
 * Calls per month. Nothing stops at 100 %; past 150 % calls are refused until the 1st (UTC). Owners are told at 80 % and at
 * 100 %, once each.
 */
export function requireQuota(caller: Caller): void {
  const allowance = caller.plan.limits.api_calls_monthly;
  if (allowance === null || caller.usage.calls < allowance * 1.5) return;
  const [year, month] = caller.usage.month.split('-').map(Number) as [number, number];
  const until = new Date(Date.UTC(year, month, 1));
  refuse('quota_exceeded', {
    message: `${caller.usage.calls} calls this month are past 150 % of the ${allowance} that the plan includes. Calls are refused until ${until.toISOString()}; a larger plan lifts this at once.`,
  });
}

export type Warning = 80 | 100;

/** The notices that are due, whichever call was the one too many: some calls jump over both thresholds. */
export function warningsDue(calls: number, allowance: number | null, warned: Record<Warning, boolean>): Warning[] {
  if (allowance === null) return [];
  return ([80, 100] as const).filter((percent) => calls >= (allowance * percent) / 100 && !warned[percent]);
}
