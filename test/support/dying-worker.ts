import './dies.ts';
import { pino } from 'pino';
import { startTurnout } from '../../server/src/app.ts';
import { MovedClock } from '../../server/src/clock.ts';
import { readConfig } from '../../server/src/config.ts';

/** A worker of its own process that ends by kill -9, where CRASH says. AHEAD moves its clock. */
const clock = new MovedClock();
clock.advance(Number(process.env.AHEAD ?? 0));
const turnout = await startTurnout(readConfig(process.env), { log: pino({ level: 'silent' }), clock });
process.on('SIGTERM', () => void turnout.stop().then(() => process.exit(0)));
