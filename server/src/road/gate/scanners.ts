import type { Clock } from '../../clock.ts';
import { refuse } from '../../common/refusal.ts';
import type { Pool } from '../../store/pool.ts';
import type { Caller } from '../caller.ts';

/** Older scanner software must stop scanning and keep its queue (426). The manifest also tells scanners this version. */
export const MIN_SCANNER_VERSION = '1.0.0';
/** The first that knows products. An event with a check-in point that asks for some takes no older one. */
export const PRODUCTS_SCANNER_VERSION = '1.1.0';

/** The oldest scanner software for what a call is about. `event` is how its path names the event, if it names one. */
export type OldestScanner = (
  parts: { pool: Pool; clock: Clock },
  caller: Caller,
  event: string | undefined,
) => Promise<string>;

/** No hand scans faster than this; a program in a loop does. */
export const SCANS_PER_SECOND = 10;

const numbersOf = (version: string): number[] => version.split('.').map(Number);

export function isOlder(version: string, than: string): boolean {
  const [a, b] = [numbersOf(version), numbersOf(than)];
  for (let i = 0; i < 3; i += 1) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0];
    if (x !== y) return x < y;
  }
  return false;
}

/** What the header says; null: nothing, and then nothing is checked. */
export function scannerVersion(header: string | string[] | undefined): string | null {
  if (typeof header !== 'string' || header === '') return null;
  if (!/^\d{1,6}(\.\d{1,6}){0,2}([-+].*)?$/.test(header)) {
    refuse('validation_failed', {
      details: [{ path: 'X-Scanner-Version', message: 'must be a version such as 1.4.0' }],
    });
  }
  return header.split(/[-+]/, 1)[0]!;
}

export function requireScannerVersion(version: string | null, oldest = MIN_SCANNER_VERSION): void {
  if (version === null || !isOlder(version, oldest)) return;
  refuse('client_too_old', {
    message: `This scanner is version ${version}; ${oldest} is the oldest that may scan${oldest === MIN_SCANNER_VERSION ? '' : ' in this event'}. Update the scanner; its queue is kept.`,
  });
}
