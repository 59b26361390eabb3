import { pino } from 'pino';
import { startTurnout } from '../../../server/src/app.ts';
import { readConfig } from '../../../server/src/config.ts';
import { Outbound } from '../../../server/src/outside/https.ts';
import type { Platform } from '../../../server/src/outside/platforms.ts';

/**
 * The server that is abused, in a process of its own: it may be held up or die without the test, and what it keeps in memory
 * is its own. Started with --expose-gc. It asks nobody outside.
 */
const PLATFORM: Platform = {
  open: () => ({
    account: async () => ({ id: 'abuse', name: 'Abuse', email: null }),
    events: async () => [],
    event: () => Promise.reject(new Error('not asked for')),
    ticketClasses: async () => [{ id: '1234567890', name: 'Adult', sold: 0 }],
    orders: async function* () {},
  }),
};

const turnout = await startTurnout(readConfig(process.env), {
  log: pino({ level: process.env.TEST_LOG ?? 'silent' }, pino.destination(2)),
  webhooks: new Outbound({ resolve: async () => [] }),
  eventbrite: PLATFORM,
});

/** What is still held once everything that can go has gone. */
async function held(): Promise<number> {
  for (let i = 0; i < 3; i += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    globalThis.gc!();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/**
 * The longest that everybody had to wait for one piece of work: CPU time of the main thread between two turns of the event
 * loop, so that a machine which is busy with others does not look like it.
 */
let longest = 0;
let before = process.threadCpuUsage();
setInterval(() => {
  const now = process.threadCpuUsage();
  longest = Math.max(longest, (now.user + now.system - before.user - before.system) / 1000);
  before = now;
}, 10).unref();

process.on('message', (question) => {
  if (question === 'held') void held().then((bytes) => process.send!({ held: bytes }));
  if (question === 'longest') {
    process.send!({ longest });
    longest = 0;
  }
});
process.on('disconnect', () => void turnout.stop().finally(() => process.exit(0)));
process.send!({ url: turnout.url });
