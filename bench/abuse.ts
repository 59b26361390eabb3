// Bench: what the worst requests cost compared with their size, and how long others wait meanwhile
import { parseArgs } from 'node:util';
import { benchAttacks } from './abuse-attacks.ts';
import { benchBodies } from './abuse-bodies.ts';
import { SECRET_KEY } from './abuse-ground.ts';
import { benchmark, busy, machine } from './support.ts';
import { startBenchTurnout } from './turnout.ts';

const { values: options } = parseArgs({
  options: {
    /** `attacks` for these alone, or names of cases as the table of bodies shows them, separated by commas. */
    only: { type: 'string' },
    /** A part of the name of the attacks to run. */
    attack: { type: 'string' },
    /** Kinds of shapes (test/support/abuse/shapes.ts), separated by commas. */
    kinds: { type: 'string' },
    /** Each body is sent again until this many kilobytes were sent, and at least twice. */
    kilobytes: { type: 'string', default: '1000' },
    /** The size of the largest file in megabytes; the server takes up to 50. */
    file: { type: 'string', default: '50' },
    /** How many seconds a background job may take before it is cancelled. */
    patience: { type: 'string', default: '5' },
  },
});
const only = options.only?.split(',');

await benchmark(async (bench) => {
  const began = performance.now();
  const note = busy();
  bench.say('starting PostgreSQL and our server …');
  const turnout = await startBenchTurnout(bench, {
    env: {
      ROLES: 'api,worker',
      LOG_LEVEL: 'silent',
      SECRET_KEY,
      // Each abusive request comes from another address, so that the limits for one address do not hide what it costs.
      TRUSTED_PROXIES: '127.0.0.1',
      // Nothing listens there: no other machine is asked for a name.
      DNS_SERVERS: '127.0.0.1:9',
    },
  });
  console.log(`\n${machine()}`);
  if (only === undefined || only.includes('attacks')) await benchAttacks(bench, turnout, options.attack ?? '');
  if (only === undefined || only.some((name) => name !== 'attacks')) {
    await benchBodies(bench, turnout, {
      only,
      kinds: options.kinds?.split(','),
      kilobytes: Number(options.kilobytes),
      file: Number(options.file),
      patience: Number(options.patience),
    });
  }
  if (note !== null) console.log(`Note: ${note}.`);
  console.log(`\n${Math.round((performance.now() - began) / 1000)} s`);
});
