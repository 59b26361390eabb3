// Measures decisions per second and the size of the browser bundle: `npx node packages/checkin/bench.mjs` (Node 24).
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { decide, insideZone, parseCases, prepareWorld, replayLocally } from './src/index.ts';

const parsed = parseCases(JSON.parse(readFileSync(new URL('./golden/scan-cases.json', import.meta.url), 'utf8')));
const file = parsed.value;
const world = prepareWorld(file.world);
const at = Date.parse('2027-06-12T10:00:00Z');
const admissions = (count) =>
  Array.from({ length: count }, (_, i) => ({
    check_in_point: i % 2 ? 'exit' : 'turnstile',
    kind: i % 2 ? 'exit' : 'entry',
    day: 'sat',
    at: at - (count - i) * 60_000,
    seq: i,
  }));
const person = (id, count) => {
  const shared = { id, attendee_type: 'visitor', group: null, confirmed: true };
  return { ...shared, days: ['sat', 'sun'], admissions: admissions(count) };
};
const scan = (check_in_point, people, count, when = at) => ({
  check_in_point,
  at: when,
  mode: 'live',
  ticket: { status: 'valid', test: false, people: people.map((id) => person(id, count)) },
  others_inside: { sat: 0 },
});
const passes = Array.from({ length: 10_000 }, (_, i) => ({
  person: `p${i % 4000}`,
  check_in_point: i % 3 ? 'room1' : 'exit',
  kind: i % 3 ? 'zone' : 'exit',
  day: 'sat',
  at: at - 10_000 + i,
  seq: i,
}));

function rate(work) {
  for (let i = 0; i < 2000; i += 1) work(); // so that the code is compiled before it is measured
  let best = 0;
  for (let round = 0; round < 5; round += 1) {
    const start = performance.now();
    let done = 0;
    while (performance.now() - start < 200) for (let i = 0; i < 100; i += 1, done += 1) work();
    best = Math.max(best, done / ((performance.now() - start) / 1000));
  }
  return best;
}

const rows = [
  ['first entry, no history', scan('gate', ['anna'], 0)],
  ['duplicate, 2 admissions', scan('gate', ['anna'], 2)],
  ['once_until_exit, 20 admissions', scan('turnstile', ['anna'], 20)],
  ['closed gate', scan('day_gate', ['anna'], 0, Date.parse('2027-06-12T19:00:00Z'))],
  ['shared ticket of 4 into a zone with capacity', scan('room1', ['anna', 'ben', 'carl', 'dora'], 4)],
].map(([what, one]) => [what, rate(() => decide(world, one))]);
const start = performance.now();
for (let i = 0; i < 50; i += 1) insideZone(world, 'room1', passes, at);
const count = (performance.now() - start) / 50;
const prepare = performance.now();
for (let i = 0; i < 20; i += 1) prepareWorld(file.world);
const prepared = (performance.now() - prepare) / 20;
const replay = performance.now();
replayLocally(file);
const replayed = performance.now() - replay;

for (const [what, n] of rows)
  console.log(`${what.padEnd(46)} ${Math.round(n).toLocaleString('en').padStart(11)} decisions/s`);
console.log(`${'insideZone over 10,000 passes'.padEnd(46)} ${count.toFixed(2).padStart(11)} ms`);
console.log(
  `${`prepareWorld, ${file.world.days.length} days, ${file.world.check_in_points.length} points`.padEnd(46)} ${prepared.toFixed(2).padStart(11)} ms`,
);
console.log(`${`replay of ${file.cases.length} cases`.padEnd(46)} ${replayed.toFixed(1).padStart(11)} ms`);

// rolldown comes with vite. Where it is not installed, the sizes are left out.
const { rolldown } = await import('rolldown').catch(() => ({ rolldown: null }));
if (rolldown !== null) {
  const index = fileURLToPath(new URL('./src/index.ts', import.meta.url));
  for (const [what, code] of [
    ['all of it', `export * from ${JSON.stringify(index)}`],
    [
      'decide, prepareWorld, insideZone, messageFor',
      `export { decide, prepareWorld, insideZone, messageFor } from ${JSON.stringify(index)}`,
    ],
  ]) {
    const entry = {
      name: 'entry',
      resolveId: (id) => (id === 'entry' ? id : null),
      load: (id) => (id === 'entry' ? code : null),
    };
    const bundle = await rolldown({ input: 'entry', plugins: [entry], logLevel: 'silent' });
    const { output } = await bundle.generate({ minify: true, format: 'esm' });
    const text = output[0].code;
    console.log(`bundle, ${what.padEnd(46)} ${text.length} bytes, ${gzipSync(text).length} gzipped`);
  }
}
