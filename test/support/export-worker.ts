import { pino } from 'pino';
import { MovedClock } from '../../server/src/clock.ts';
import { readConfig } from '../../server/src/config.ts';
import type { Files } from '../../server/src/outside/files.ts';
import { openFiles } from '../../server/src/outside/open-files.ts';
import { startTurnout } from '../../server/src/start/app.ts';

/**
 * A worker in a process of its own. CRASH=20 kills it (kill -9) when 20 chunks of a file are written. AHEAD moves its clock, in
 * milliseconds.
 */
const config = readConfig(process.env);
const folder = await openFiles(config.files);
const crash = Number(process.env.CRASH ?? Number.POSITIVE_INFINITY);

async function* dying(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let written = 0;
  for await (const chunk of chunks) {
    if (written === crash) process.kill(process.pid, 'SIGKILL');
    yield chunk;
    written += 1;
  }
}
const files: Files = { ...folder, write: (key, chunks) => folder.write(key, dying(chunks)) };

const clock = new MovedClock();
clock.advance(Number(process.env.AHEAD ?? 0));
const turnout = await startTurnout(config, { log: pino({ level: 'silent' }), clock, files });
process.on('SIGTERM', () => void turnout.stop().then(() => process.exit(0)));
