import { randomBytes, randomUUID } from 'node:crypto';
import {
  type Answer,
  type CaseAdmission,
  type CaseFile,
  type Difference,
  differences,
  type GoldenCase,
} from '@turnout/checkin';
import { Client, forEachAtOnce, type Mode, Refused } from './replay-client.ts';
import { CannotSetUp, type ReadyTicket, setUpTickets } from './replay-people.ts';
import { AT_ONCE, type BuiltWorld, buildEvent, buildGroups, eventsFor, Remains } from './replay-world.ts';

/**
 * Replays the golden cases through the API, as anybody could: builds the world of the file in a test event, registers the people, sends
 * each scan with its time and compares the results. It imports nothing of the server.
 */
export interface ApiReplayOptions {
  url: string;
  /** A live key with all four scopes. */
  key: string;
  testKey: string;
  say: (line: string) => void;
  signal?: AbortSignal;
}

export interface ApiReplay {
  cases: number;
  scans: number;
  /** Cases that the file marks as local only, because the API cannot set them up. */
  skipped: number;
  differences: Difference[];
}

/** `what` of a difference if the case could not be set up. */
export const SET_UP = 'set-up';

export async function replayThroughApi(file: CaseFile, options: ApiReplayOptions): Promise<ApiReplay> {
  const { url, key, testKey, say, signal } = options;
  const keys = { live: key, test: testKey };
  const client = new Client({ url, keys, say, signal });
  await checkKeys(client, say);

  const cases = file.cases.filter((one) => one.local_only !== true);
  const events = eventsFor({ ...file, cases });
  // Without the signal, so that what was created is also removed after Ctrl-C.
  const remains = new Remains(new Client({ url, keys, say }));
  const run = `golden-${randomBytes(4).toString('hex')}`;
  const found = new Map<GoldenCase, Difference[]>();
  const progress = counter(cases.length, say);
  try {
    say(`building the world at ${client.base}${events.length > 1 ? `, in ${events.length} events` : ''}`);
    const groups = await buildGroups(client, file.world.groups, run, remains);
    for (const chosen of events) {
      const world = await buildEvent(client, { ...file, cases: chosen }, run, groups, remains);
      await forEachAtOnce(chosen, AT_ONCE, async (one) => {
        found.set(one, await replayCase(client, world, one));
        progress();
      });
    }
    say(`${client.calls} calls; cleaning up`);
  } finally {
    for (const kept of await remains.clear()) say(`not removed: ${kept}`);
  }
  return {
    cases: cases.length,
    scans: cases.reduce((sum, one) => sum + one.scans.length, 0),
    skipped: file.cases.length - cases.length,
    differences: cases.flatMap((one) => found.get(one) ?? []),
  };
}

interface Profile {
  organization: { id: string };
  key: { mode: Mode; scopes: string[]; group: string | null; requests_per_minute: number };
}

/** Checks the keys before anything is created. */
async function checkKeys(client: Client, say: (line: string) => void): Promise<void> {
  const live = await client.get<Profile>('/me', 'live');
  const test = await client.get<Profile>('/me', 'test');
  const wanted = { live: ['read', 'write', 'admin', 'scanner'], test: ['read', 'write', 'scanner'] };
  for (const [option, mode, { key }] of [
    ['--key', 'live', live],
    ['--test-key', 'test', test],
  ] as const) {
    if (key.mode !== mode) throw new CannotSetUp(`${option} takes a ${mode} key; this one is a ${key.mode} key`);
    const lacking = wanted[mode].filter((scope) => !key.scopes.includes(scope));
    if (lacking.length > 0) throw new CannotSetUp(`the key of ${option} lacks the scope ${lacking.join(', ')}`);
    if (key.group !== null) throw new CannotSetUp(`the key of ${option} is limited to the group ${key.group}`);
  }
  if (live.organization.id !== test.organization.id)
    throw new CannotSetUp('--key and --test-key are of different organizations');
  const rate = live.key.requests_per_minute;
  if (rate < 600) say(`the live key may make ${rate} requests a minute; one made with a higher --rpm goes faster`);
}

function counter(total: number, say: (line: string) => void): () => void {
  let done = 0;
  return () => {
    done += 1;
    if (done % 50 === 0 || done === total) say(`${done} of ${total} cases`);
  };
}

interface ScanAnswer {
  result: string;
  reason: string | null;
  people: { id: string; result: string; first_admission?: CaseAdmission | null }[];
}

/** Sends the scans of a case in their order. If the API refuses the case, that is a difference; if it refuses the key, the replay ends. */
async function replayCase(client: Client, world: BuiltWorld, one: GoldenCase): Promise<Difference[]> {
  const failed = (scan: number, what: string, expected: string, error: unknown): Difference => {
    const ours = error instanceof CannotSetUp || (error instanceof Refused && !error.ofTheKey);
    if (!ours) throw error;
    return { case: one.name, scan, what, expected, got: error.message };
  };
  let tickets: Map<string, ReadyTicket>;
  try {
    tickets = await setUpTickets(client, world, one);
  } catch (error) {
    return [failed(0, SET_UP, 'tickets as written', error)];
  }
  const found: Difference[] = [];
  for (const [i, scan] of one.scans.entries()) {
    const ticket = scan.ticket === undefined ? null : tickets.get(scan.ticket)!;
    try {
      const answer = await client.post<ScanAnswer>(
        `/events/${world.event}/scan`,
        {
          code: ticket?.code ?? scan.code,
          check_in_point: world.points.of(scan.check_in_point),
          client_uuid: randomUUID(),
          scanned_at: scan.at,
          ...(ticket !== null &&
            scan.people_present && { people: scan.people_present.map((ref) => ticket.people.get(ref)) }),
        },
        scan.test === true ? 'test' : 'live',
      );
      found.push(...differences(one, i, answerOf(answer, ticket)));
    } catch (error) {
      found.push(failed(i, 'result', scan.result, error));
    }
  }
  return found;
}

function answerOf({ result, reason, people }: ScanAnswer, ticket: ReadyTicket | null): Answer {
  const refs = new Map([...(ticket?.people ?? [])].map(([ref, id]) => [id, ref]));
  const each = <T>(what: (one: ScanAnswer['people'][number]) => T): Record<string, T> =>
    Object.fromEntries(people.map((one) => [refs.get(one.id) ?? one.id, what(one)]));
  const tellsFirst = people.some((one) => one.first_admission !== undefined);
  return {
    result,
    reason,
    people: each((one) => one.result),
    ...(tellsFirst && { first_admission: each((one) => one.first_admission ?? null) }),
  };
}
