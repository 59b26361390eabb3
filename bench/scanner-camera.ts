// Bench: the scanner's camera: how many pictures of tickets are read, and how soon a ticket's code is told
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { requireApps } from '../test/support/apps.ts';
import { type AnsweredTicket, noteAtCamera, watchAtDoor } from '../test/support/scanner/at-camera.ts';
import type { Notes } from '../test/support/scanner/camera-page.ts';
import { writeFilm } from '../test/support/scanner/film.ts';
import { openGate } from '../test/support/scanner/gate.ts';
import { drawScenes, SCENES } from '../test/support/scanner/scenes.ts';
import { startSite } from '../test/support/scanner/site.ts';
import { type Handicap, openCamera, type ReadTicket, ticketsOf, watchFilm } from '../test/support/scanner/watch.ts';
import { verdict } from './app-browser.ts';
import { openDoor } from './scanner-world.ts';
import { type Bench, benchmark, busy, machine, median, ms, table } from './support.ts';
import { startBenchTurnout } from './turnout.ts';

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

/** So soon after its first picture, the answer to a ticket is on the screen. */
const ANSWER_LIMITS = { online: 250, offline: 150 };
const PEOPLE = 500;

/** The whole way in the app: a ticket of the server before the camera, and the answer on the screen. */
export async function measureAnswers(bench: Bench): Promise<void> {
  await requireApps();
  const turnout = await startBenchTurnout(bench);
  const door = await openDoor(bench, turnout, PEOPLE, SCENES);
  bench.say('drawing tickets of the server …');
  const file = join(bench.folder(), 'tickets.y4m');
  const film = writeFilm(file, await drawScenes(door.codes));
  const gate = await openGate(turnout.url, null);
  bench.later(() => gate.stop());
  const browser = await openCamera(file);
  bench.later(() => browser.close());
  const page = await (await browser.newContext({ locale: 'en-GB', permissions: ['camera'] })).newPage();
  await noteAtCamera(page);
  await page.goto(`${gate.url}/scan#pair=${door.pairingCode}`);
  await page.getByRole('button', { name: 'Pair', exact: true }).click();
  await page.getByRole('button', { name: /^Gate/ }).click();
  await page.locator('.freshness', { hasText: /tickets?, updated/ }).waitFor();
  await page.evaluate(() => navigator.serviceWorker.ready);
  bench.say('watching: with a network …');
  const online = await watchAtDoor(page, film, `${gate.url}/scan`);
  gate.fault = () => ({ do: 'drop' });
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await page.locator('.scan [data-connection="offline"]').waitFor();
  bench.say('watching: without a network …');
  const offline = await watchAtDoor(page, film, `${gate.url}/scan`);
  console.log(`\nThe app before the same film, with tickets of a server: from when the first picture of a ticket is shown until the answer is
on the screen. Medians are compared with the limits.\n`);
  console.log(
    table(
      ['', 'answered', 'twice', 'by the server', 'median', 'longest', 'limit', ''],
      [answerRow('with a network', online, ANSWER_LIMITS.online), answerRow('without', offline, ANSWER_LIMITS.offline)],
    ),
  );
  const without = [...silent(online), ...silent(offline)];
  if (without.length > 0) console.log(`\nNot answered: ${without.join('; ')}.`);
}

const silent = (tickets: readonly AnsweredTicket[]) =>
  tickets.flatMap(({ name, ms: told }) => (told === null ? [name] : []));

function answerRow(name: string, tickets: readonly AnsweredTicket[], limit: number): string[] {
  const times = tickets.flatMap((one) => one.ms ?? []);
  const twice = tickets.filter((one) => one.answers.length > 1).length;
  const byServer = tickets.filter((one) => one.answers[0]?.by === 'server').length;
  return [
    ...[name, `${times.length} of ${tickets.length}`, String(twice), String(byServer)],
    ...[ms(median(times)), ms(Math.max(...times)), ms(limit), verdict(median(times), limit)],
  ];
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
    if (values.only !== 'answers') await measureCamera(bench, values.only ?? null);
    if (values.only === undefined || values.only === 'answers') await measureAnswers(bench);
    console.log(`${machine()}${warning === null ? '' : `\nNote: ${warning}`}`);
  });
}
