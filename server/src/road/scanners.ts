import type { Clock } from '../clock.ts';
import type { Id } from '../store/ids.ts';
import type { Caller } from './caller.ts';
import { refuse } from './refusal.ts';

/** Scanner software older than this stops scanning and keeps its queue (426); the manifest tells it, too. */
export const MIN_SCANNER_VERSION = '1.0.0';

const parts = (version: string): number[] => version.split('.').map(Number);

export function isOlder(version: string, than: string): boolean {
  const [a, b] = [parts(version), parts(than)];
  for (let i = 0; i < 3; i += 1) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0];
    if (x !== y) return x < y;
  }
  return false;
}

export function requireScannerVersion(header: string | string[] | undefined): void {
  if (typeof header !== 'string' || header === '') return;
  if (!/^\d{1,6}(\.\d{1,6}){0,2}([-+].*)?$/.test(header)) {
    refuse('validation_failed', {
      details: [{ path: 'X-Scanner-Version', message: 'must be a version such as 1.4.0' }],
    });
  }
  const version = header.split(/[-+]/, 1)[0]!;
  if (isOlder(version, MIN_SCANNER_VERSION)) {
    refuse('client_too_old', {
      message: `This scanner is version ${version}; ${MIN_SCANNER_VERSION} is the oldest that may scan. Your queue is kept.`,
    });
  }
}

export const SCANS_PER_SECOND = 10;
const recent = new Map<Id, number[]>();

/** A hand cannot scan faster; a loop can. Per process: a device talks to one at a time. */
export function requireDevicePace(caller: Caller, clock: Clock): void {
  const id = caller.actor.id!;
  const now = clock.now().getTime();
  let times = recent.get(id);
  if (times === undefined) {
    if (recent.size > 10_000) recent.clear();
    times = [];
    recent.set(id, times);
  }
  // Any second, not that of the clock: else twenty pass around its full second.
  while (times.length > 0 && (times[0]! <= now - 1000 || times[0]! > now)) times.shift();
  if (times.length >= SCANS_PER_SECOND) {
    refuse('rate_limited', {
      message: `More than ${SCANS_PER_SECOND} scans in a second.`,
      headers: { 'Retry-After': '1' },
    });
  }
  times.push(now);
}
