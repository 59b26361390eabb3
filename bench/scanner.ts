// Bench: the scanner in a browser, slowed four times, with 250,000 tickets: first load, opening, decisions, search, memory, 10,000 scans without a network
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { buildScanPage, type Gate, openGate, PASS } from '../test/support/scanner/gate.ts';
import { SLOWED, verdict } from './app-browser.ts';
import { decideHere, memoryHere, openHere, pairHere, scanHere, typeHere, uploadHere } from './scanner-page.ts';
import { openDoor } from './scanner-world.ts';
import { type Bench, benchmark, busy, machine, median, ms, table, whole } from './support.ts';
import { startBenchTurnout } from './turnout.ts';

const LIMITS = { openMs: 500, decisionMs: 10, searchMs: 500, memoryMb: 150 };

const { values: options } = parseArgs({
  options: {
    tickets: { type: 'string', default: '250000' },
    scans: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '5' },
  },
});
const [tickets, scans, rounds] = [options.tickets, options.scans, options.rounds].map(Number) as [
  number,
  number,
  number,
];
const DECISIONS = 2_000;
/** A frequent name, one with an accent, a rare one, both names, and one that nobody has. */
const TYPED = ['müller', 'Zoë', 'zyrianovskaite', 'anna m', 'beethoven', 'xqzw'];

const p99 = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)]!;
const seconds = (time: number) => `${(time / 1000).toFixed(1)} s`;

/** A browser that keeps its data in a folder, as a phone does. */
async function startBrowser(bench: Bench): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(bench.folder(), {
    executablePath: execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim(),
    args: ['--no-sandbox', '--enable-blink-features=ForceEagerMeasureMemory'],
  });
  bench.later(() => context.close());
  return context;
}

async function visit(context: BrowserContext, gate: Gate): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${gate.url}/scan/`);
  await page.waitForFunction(() => 'scan' in globalThis);
  const cdp = await context.newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
  return page;
}

await benchmark(async (bench) => {
  const warning = busy();
  const built = await buildScanPage();
  bench.later(built.remove);
  const turnout = await startBenchTurnout(bench);
  const door = await openDoor(bench, turnout, tickets, scans + DECISIONS);
  const gate = await openGate(turnout.url, built.folder);
  bench.later(() => gate.stop());
  const context = await startBrowser(bench);

  let page = await visit(context, gate);
  const id = await page.evaluate(pairHere, door.pairingCode);
  const first = await page.evaluate(openHere, id);
  bench.say(`the roster is there after ${seconds(first.roster)}`);
  const opened: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await page.close();
    page = await visit(context, gate);
    opened.push((await page.evaluate(openHere, id)).open);
  }
  const memory = await page.evaluate(memoryHere);
  const typed = [];
  for (const text of TYPED) typed.push({ text, ...(await page.evaluate(typeHere, text)) });
  const decisions = await page.evaluate(decideHere, [id, door.codes.slice(scans)] as const);

  gate.fault = () => ({ do: 'drop' });
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await page.waitForFunction(
    () =>
      (globalThis as never as { scan: { open: { status(): { connection: string } } } }).scan.open.status()
        .connection === 'offline',
  );
  const queued = await page.evaluate(scanHere, door.codes.slice(0, scans));
  bench.say(`${whole(scans)} scans are in the queue`);
  const memoryAfter = await page.evaluate(memoryHere);
  gate.fault = () => PASS;
  const upload = await page.evaluate(uploadHere);
  const recorded = await door.recorded();

  const row = (what: string, value: number, show: (value: number) => string, limit?: number): string[] =>
    limit === undefined
      ? [what, show(value), '', '', '']
      : [what, show(value), show(limit), (value / limit).toFixed(2), verdict(value, limit)];
  const mb = (value: number) => `${value.toFixed(0)} MB`;
  const searches = typed.flatMap(({ times }) => times);
  console.log(`
${machine()}, ${context.browser()?.version() ?? 'Chromium'}${warning === null ? '' : `\nNote: ${warning}`}
The scanner with ${whole(tickets)} people. The page is slowed ${SLOWED} times; its worker, which packs, finds and decides, is not: a browser slows
only pages. On a phone that slow, the worker's part takes up to four times as long.
`);
  console.log(
    table(
      ['', 'measured', 'limit', 'ratio', ''],
      [
        row('first load: download, pack and write the roster', first.roster, seconds),
        row(`opening with the roster on disk, median of ${rounds}`, median(opened), ms, LIMITS.openMs),
        row('  slowest', Math.max(...opened), ms, LIMITS.openMs),
        row(`decision, p99 of ${whole(decisions.length)}`, p99(decisions), ms, LIMITS.decisionMs),
        row('  median', median(decisions), ms),
        row('search, slowest letter', Math.max(...searches), ms, LIMITS.searchMs),
        row('  median letter', median(searches), ms),
        row('memory of page and worker, roster open', memory / 1e6, mb, LIMITS.memoryMb),
        row(`  with ${whole(scans)} scans in the queue`, memoryAfter / 1e6, mb, LIMITS.memoryMb),
        row('scan without a network, on disk twice, median', median(queued.times), ms),
        row('  p99', p99(queued.times), ms),
        row(`${whole(scans)} scans sent up`, upload, seconds),
      ],
    ),
  );
  console.log(`\nFound: ${typed.map(({ text, found }) => `${text} ${found}`).join(', ')}.`);
  console.log(
    `${whole(queued.admitted)} of ${whole(scans)} scans admitted somebody; ${whole(recorded)} check-ins are on record.`,
  );
});
