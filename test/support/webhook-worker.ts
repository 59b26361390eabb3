import { pino } from 'pino';
import { MovedClock } from '../../server/src/clock.ts';
import { readConfig } from '../../server/src/config.ts';
import { startTurnout } from '../../server/src/start/app.ts';

/** A worker in a process of its own, which the test kills. AHEAD moves its clock past the leases of workers that were killed before. */
const clock = new MovedClock();
clock.advance(Number(process.env.AHEAD ?? 0));
await startTurnout(readConfig(process.env), { log: pino({ level: 'silent' }), clock });
process.stdout.write('started\n');
