// Bench: the scanner's camera: how many pictures of tickets are read, and how soon a ticket's code is told
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Notes } from '../test/support/scanner/camera-page.ts';
import { writeFilm } from '../test/support/scanner/film.ts';
import { drawScenes } from '../test/support/scanner/scenes.ts';
import { startSite } from '../test/support/scanner/site.ts';
import { type Handicap, openCamera, type ReadTicket, ticketsOf, watchFilm } from '../test/support/scanner/watch.ts';
import { type Bench, benchmark, busy, machine, median, ms, table } from './support.ts';

const WATCHED: readonly (Handicap & { name: string })[] = [
  { name: 'VideoFrame' },
  { name: 'ImageBitmap', without: ['VideoFrame'] },
  { name: 'ImageData', without: ['VideoFrame', 'createImageBitmap'] },
  { name: 'VideoFrame, page slowed 4×', slowed: 4 },
  { name: 'ImageBitmap, page slowed 4×', slowed: 4, without: ['VideoFrame'] },
];

/** Shows a film of tickets to the reader in Chromium, handed to its worker in each way, and prints what was read and when. */
export async function measureCamera(bench: Bench, only: string | null): Promise<void> {
  bench.say('drawing tickets …');
  const file = join(bench.folder(), 'tickets.y4m');
  const film = writeFilm(file, await drawScenes());
  const site = await startSite({});
  bench.later(() => site.close());
  const browser = await openCamera(file);
  bench.later(() => browser.close());
  const rows: string[][] = [];
  let tickets: ReadTicket[] | null = null;
  for (const { name, ...handicap } of WATCHED.filter((one) => only === null || one.name === only)) {
    bench.say(`watching: ${name} …`);
    const notes = await watchFilm(browser, site.url, film, handicap);
    const read = ticketsOf(film, notes);
    tickets ??= read;
    rows.push([name, ...summary(notes, read)]);
  }
  console.log(`\nTickets before a camera of 1280 × 720 and ten pictures a second, in Chromium. Times are medians. In the worker: cutting and
greying a picture, reading one with a code, looking through one without. In the page: from taking a picture until its answer,
and from when the first picture of a ticket is shown until the code is told.\n`);
  console.log(
    table(['handed over as', 'tickets', 'twice', 'pictures', 'cut, grey', 'read', 'no code', 'answer', 'told'], rows),
  );
  console.log(`\n${table(['ticket', 'pictures', 'read', 'told'], tickets!.map(rowOf))}\n`);
}

const rowOf = ({ name, looked, found, ms: told }: ReadTicket): string[] => [
  ...[name, String(looked), share(found, looked), told === null ? 'never' : ms(told)],
];
const share = (part: number, of: number): string => (of === 0 ? '–' : `${Math.round((100 * part) / of)} %`);

function summary({ frames, codes }: Notes, read: readonly ReadTicket[]): string[] {
  const looked = read.reduce((sum, one) => sum + one.looked, 0);
  const found = read.reduce((sum, one) => sum + one.found, 0);
  const [full, empty] = [frames.filter((one) => one.codes.length > 0), frames.filter((one) => one.codes.length === 0)];
  return [
    `${read.filter((one) => one.ms !== null).length} of ${read.length}`,
    String(codes.length - new Set(codes.map(({ text }) => text)).size),
    `${share(found, looked)} of ${looked}`,
    ms(median(frames.map((one) => one.pixels))),
    ms(median(full.map((one) => one.decoding))),
    ms(median(empty.map((one) => one.decoding))),
    // From taking the picture off the video until the page hears what was in it.
    ms(median(full.map((one) => one.answered - one.at))),
    ms(median(read.flatMap((one) => one.ms ?? []))),
  ];
}

if (import.meta.filename === process.argv[1]) {
  const { values } = parseArgs({ options: { only: { type: 'string' } } });
  await benchmark(async (bench) => {
    const warning = busy();
    await measureCamera(bench, values.only ?? null);
    console.log(`${machine()}${warning === null ? '' : `\nNote: ${warning}`}`);
  });
}
