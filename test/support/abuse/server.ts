import { pino } from 'pino';
import { readConfig } from '../../../server/src/config.ts';
import { Outbound } from '../../../server/src/outside/https.ts';
import type { Platform } from '../../../server/src/outside/platforms.ts';
import { startTurnout } from '../../../server/src/start/app.ts';

/**
 * The server that is abused. It has a process of its own, so that it can stall or crash without the test, and so that its memory can
 * be measured (it is started with --expose-gc). It contacts no other machine.
 */
const PLATFORM: Platform = {
  open: () => ({
    account: async () => ({ id: 'abuse', name: 'Abuse', email: null }),
    events: async () => [],
    event: () => Promise.reject(new Error('not used in these tests')),
    ticketClasses: async () => [{ id: '1234567890', name: 'Adult', sold: 0 }],
    orders: async function* () {},
  }),
};

const turnout = await startTurnout(readConfig(process.env), {
  log: pino({ level: process.env.TEST_LOG ?? 'silent' }, pino.destination(2)),
  webhooks: new Outbound({ resolve: async () => [] }),
  eventbrite: PLATFORM,
});

/** The memory that is in use after so many garbage collections. */
async function held(collections: number): Promise<number> {
  for (let i = 0; i < collections; i += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    globalThis.gc!();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/**
 * The longest time for which one piece of work held up everybody else: the CPU time of the main thread between two turns of the
 * event loop. CPU time, because a machine that is busy with other work must not count.
 */
let longest = 0;
let before = process.threadCpuUsage();
setInterval(() => {
  const now = process.threadCpuUsage();
  longest = Math.max(longest, (now.user + now.system - before.user - before.system) / 1000);
  before = now;
}, 10).unref();

process.on('message', (question: 'longest' | { collections: number }) => {
  if (question !== 'longest') void held(question.collections).then((bytes) => process.send!({ held: bytes }));
  else {
    process.send!({ longest });
    longest = 0;
  }
});
process.on('disconnect', () => void turnout.stop().finally(() => process.exit(0)));
process.send!({ url: turnout.url });
