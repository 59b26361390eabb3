import type { CallRefusal } from './calls.ts';

/**
 * Why the engine did not do what it was asked for.
 *
 *   stopped       scanning is stopped (status: refused, too_old or elsewhere), or the engine is closed
 *   storage       the scan cannot be kept on this device, and the server did not answer
 *   not_recorded  the server refused to record the scan; it is in the kept list
 *   refused       the server refused; `code` and `message` are its own
 *   unanswered    the server did not answer, and this cannot be done without it
 *   other_tab     another tab of this browser scans
 *   insecure      the page is not served over https, so the browser gives us neither hashes nor locks
 *   not_paired    no such event on this device
 *   waiting       the event still has scans that the server has not recorded
 */
export type EngineFault =
  | 'stopped'
  | 'storage'
  | 'not_recorded'
  | 'refused'
  | 'unanswered'
  | 'other_tab'
  | 'insecure'
  | 'not_paired'
  | 'waiting';

export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly fault: EngineFault;
  /** The server's code, where it refused. */
  readonly code: string | null;
  /** Seconds until it may be tried again, where the server says so. */
  readonly retryAfter: number | null;

  constructor(fault: EngineFault, message: string, refusal?: Pick<CallRefusal, 'code' | 'retryAfter'>) {
    super(message);
    this.fault = fault;
    this.code = refusal?.code ?? null;
    this.retryAfter = refusal?.retryAfter ?? null;
  }
}

export const refusedBy = (refusal: CallRefusal): EngineError => new EngineError('refused', refusal.message, refusal);
export const unanswered = (): EngineError => new EngineError('unanswered', 'The server did not answer.');
