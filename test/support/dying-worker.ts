import './dies.ts';
import { pino } from 'pino';
import { MovedClock } from '../../server/src/clock.ts';
import { readConfig } from '../../server/src/config.ts';
import { startTurnout } from '../../server/src/start/app.ts';

/** A worker in a process of its own that kills itself where CRASH says (dies.ts). AHEAD moves its clock, in milliseconds. */
const clock = new MovedClock();
clock.advance(Number(process.env.AHEAD ?? 0));
const turnout = await startTurnout(readConfig(process.env), { log: pino({ level: 'silent' }), clock });
process.on('SIGTERM', () => void turnout.stop().then(() => process.exit(0)));
