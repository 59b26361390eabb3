import { ServerResponse } from 'node:http';
import { pino } from 'pino';
import { MovedClock } from '../../server/src/clock.ts';
import { readConfig } from '../../server/src/config.ts';
import { startTurnout } from '../../server/src/start/app.ts';
import { Loop } from '../../server/src/work/loop.ts';
import { noteOperations } from './operations.ts';

/**
 * A server in a process of its own that kills itself at a chosen point, the first time it gets there:
 * CRASH=before-commit (the work is done, nothing committed), after-commit (committed, nothing answered) or before-answer (the same for
 * work that raises no webhook). AHEAD moves its clock by so many milliseconds.
 */
const die = () => process.kill(process.pid, 'SIGKILL');
const where = process.env.CRASH;
if (where === 'after-commit') Loop.prototype.wake = die; // the road wakes the relay right after its commit
if (where === 'before-answer') ServerResponse.prototype.writeHead = die as never;
const clock = new MovedClock();
clock.advance(Number(process.env.AHEAD ?? 0));
const turnout = await startTurnout(readConfig(process.env), {
  log: pino({ level: 'silent' }),
  clock,
  operations: noteOperations,
  ...(where === 'before-commit' && { checkReply: die }), // replies are checked when the work is done, before the commit
});
process.stdout.write(`${turnout.url}\n`);
process.on('SIGTERM', () => void turnout.stop().then(() => process.exit(0)));
