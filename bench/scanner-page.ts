import type { ScanPage } from '../test/support/scanner/page.ts';
import type { ScanAnswer } from '../web/scan/src/engine/index.ts';

/** What runs in the page of the scanner while it is measured. Times are taken there, in milliseconds. */

declare const scan: ScanPage;

export async function pairHere(code: string): Promise<string> {
  return (await scan.api.pair(code, 'Bench')).id;
}

/** Opens the engine and returns how long that took, and how long until the whole roster was there. */
export async function openHere(id: string): Promise<{ open: number; roster: number }> {
  const at = performance.now();
  const engine = await scan.api.openEngine(id);
  scan.open = engine;
  const open = performance.now() - at;
  while (engine.status().tickets === null || engine.status().loading !== null) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return { open, roster: performance.now() - at };
}

/** Decisions from the roster alone, one after the other: what a scan waits for besides the disk. */
export async function decideHere([device, codes]: readonly [string, readonly string[]]): Promise<number[]> {
  const roster = scan.startRoster(() => {});
  await roster.open({ device, token: '', mode: 'live' });
  const times: number[] = [];
  for (const code of codes) {
    const at = performance.now();
    const { decision } = await roster.decide({
      named: { code },
      point: 'gate',
      at: Date.now(),
      people: null,
      newest: 0,
    });
    times.push(performance.now() - at);
    if (decision?.result === 'unknown' || decision === null) throw new Error(`${code} is not in the roster`);
  }
  roster.close();
  return times;
}

/** Scans without a network. Each is on disk twice before it is told: when it was made, and what was decided. */
export async function scanHere(codes: readonly string[]): Promise<{ times: number[]; admitted: number }> {
  const times: number[] = [];
  let admitted = 0;
  for (const code of codes) {
    const at = performance.now();
    let told = await scan.open!.scan({ code }, { point: 'gate', test: false });
    if ('ask' in told) {
      const people = told.people.map(({ id }) => id);
      told = await scan.open!.scan({ code }, { point: 'gate', test: false, people });
    }
    times.push(performance.now() - at);
    if ((told as ScanAnswer).by !== 'device') throw new Error('The server answered, although there was no network.');
    if ((told as ScanAnswer).admitted) admitted += 1;
  }
  return { times, admitted };
}

/** Types the text letter by letter and returns how long each search took, and how many were found last. */
export async function typeHere(text: string): Promise<{ times: number[]; found: number }> {
  const times: number[] = [];
  let found = 0;
  for (let letters = 1; letters <= text.length; letters += 1) {
    const at = performance.now();
    found = (await scan.open!.search(text.slice(0, letters))).count;
    times.push(performance.now() - at);
  }
  return { times, found };
}

export async function uploadHere(): Promise<number> {
  const at = performance.now();
  dispatchEvent(new Event('online'));
  while (scan.open!.status().queue > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  return performance.now() - at;
}

/** Of the page and its worker, in bytes. */
export async function memoryHere(): Promise<number> {
  const measured = performance as unknown as { measureUserAgentSpecificMemory(): Promise<{ bytes: number }> };
  return (await measured.measureUserAgentSpecificMemory()).bytes;
}
