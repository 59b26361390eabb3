import { refuse } from '../../common/refusal.ts';

/** Older scanner software must stop scanning and keep its queue (426). The manifest also tells scanners this version. */
export const MIN_SCANNER_VERSION = '1.0.0';

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
      message: `This scanner is version ${version}; ${MIN_SCANNER_VERSION} is the oldest that may scan. Update the scanner; its queue is kept.`,
    });
  }
}
