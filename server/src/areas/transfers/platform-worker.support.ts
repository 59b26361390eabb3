import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { MovedClock } from '../../clock.ts';
import { Secrets } from '../../common/secrets.ts';
import { masterSecret, readConfig } from '../../config.ts';
import { eventbrite } from '../../outside/eventbrite.ts';
import { openFiles } from '../../outside/open-files.ts';
import { Platforms } from '../../outside/platforms.ts';
import type { Outside } from '../../road/operation.ts';
import { openPool } from '../../store/pool.ts';
import { Runner } from '../../work/jobs.ts';
import { platformImport } from './platform-import.ts';

/** A runner in a process of its own, to be killed. It imports from the double at DOUBLE_URL; its clock is AHEAD ms ahead. */
const config = readConfig(process.env);
const clock = new MovedClock();
clock.advance(Number(process.env.AHEAD));
const secrets = new Secrets(masterSecret(config, () => Buffer.alloc(0)));
const platforms = new Platforms({ eventbrite: eventbrite({ apiUrl: process.env.DOUBLE_URL!, spacingMs: 0 }) }, secrets);
const outside = { files: await openFiles(config.files), platforms } as Outside;
const pool = openPool({ url: config.databaseUrl!, max: 4 });
const runner = new Runner({ pool, clock, log: pino({ level: 'silent' }), outside }, [platformImport]);
for (;;) {
  await runner.fill();
  await sleep(50);
}
