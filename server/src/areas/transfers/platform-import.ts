import { IMPORT_ERROR_HEADING } from '@turnout/contract';
import { csv } from '../../outside/csv.ts';
import { PlatformError, type PlatformReader, type SourceOrder } from '../../outside/platforms.ts';
import { JobFailure, type JobFiles, job, type Run } from '../../road/for-areas/job.ts';
import { Vanished } from '../../store/clocks.ts';
import { eventById } from '../events/index.ts';
import { worldOf } from '../registrations/index.ts';
import { FULL_LOAD, type Load, loadOf } from './import-load.ts';
import { onePage } from './one-page.ts';
import { findConnection } from './platform-connections.ts';
import type { ImportInput } from './platform-mapping.ts';
import { importOrders, type Outcome, type Result } from './platform-orders.ts';

/** The highest number of orders that any run of this job has finished. */
interface Furthest {
  orders: number;
}

/**
 * Reads the orders from the first to the last; each page is imported in a transaction of its own. An interrupted run starts
 * again at the first order, because the platform's list may have changed and an old page number means nothing. Attendees who
 * were already added are recognized by `platform_people`, so nobody is added twice, and the counts are the same as without the
 * interruption. Progress is recorded only once the run gets further than earlier ones did.
 */
export const platformImport = job<ImportInput, Furthest>({ kind: 'platform_import', run: importPeople });

async function importPeople(run: Run<ImportInput, Furthest>): Promise<JobFiles | undefined> {
  try {
    const rejects = await importAll(run);
    if (rejects.length === 0) return undefined;
    return { rejects: await run.write('rejects.csv', 'text/csv', rejectsFile(rejects)) };
  } catch (error) {
    if (error instanceof PlatformError) throw new JobFailure(`${error.message} ${KEPT}`, error.cause);
    if (error instanceof Vanished) throw new JobFailure('The event was deleted.');
    throw error;
  }
}

/** Imports all orders and returns the attendees who were rejected. */
async function importAll(run: Run<ImportInput, Furthest>): Promise<Outcome[]> {
  const { platform, reader, load } = await open(run);
  const counts = { created: 0, existing: 0, skipped: 0, rejected: 0 };
  const rejects: Outcome[] = [];
  let done = 0;
  for await (const { orders, total } of inParts(reader.orders(run.input.source_event), load)) {
    let outcomes: Outcome[] = [];
    done += orders.length;
    await run.step(async (tx) => {
      outcomes = await importOrders(tx, run, platform, orders);
      if (done <= (run.state?.orders ?? 0)) return {};
      return { state: { orders: done }, done, total: Math.max(done, total), counts: sum(counts, outcomes) };
    });
    Object.assign(counts, sum(counts, outcomes));
    rejects.push(...outcomes.filter((outcome) => outcome.result === 'rejected'));
  }
  await run.step(async () => ({ done, total: done, counts }));
  return rejects;
}

/** Divides pages of orders into parts that one transaction may write. */
async function* inParts(pages: AsyncIterable<{ orders: SourceOrder[]; total: number }>, load: Load) {
  for await (const { orders, total } of pages) {
    let part: SourceOrder[] = [];
    let filled = 0;
    for (const order of orders) {
      const own = order.attendees.length * load.person(Number.POSITIVE_INFINITY);
      if (part.length > 0 && filled + own > FULL_LOAD) {
        yield { orders: part, total };
        [part, filled] = [[], 0];
      }
      part.push(order);
      filled += own;
    }
    if (part.length > 0) yield { orders: part, total };
  }
}

const KEPT = 'Everybody imported so far is kept; start the import again to continue.';

async function open(run: Run<ImportInput, Furthest>) {
  if (run.event === null) throw new Vanished();
  const connection = await run.read((tx) => findConnection(tx, run.org, run.input.connection));
  if (connection === null) throw new JobFailure(`The account was disconnected. ${KEPT}`);
  const event = await run.read((tx) => eventById(tx, run.org, run.event!));
  if (event === null) throw new Vanished();
  const load = loadOf(await run.read((tx) => worldOf(tx, run.org, event)));
  const { platform, token } = connection;
  const reader: PlatformReader = run.outside.platforms.open(platform, token, { signal: run.signal });
  return { platform, reader, load };
}

type Counts = Record<Result, number>;
function sum(counts: Counts, outcomes: readonly Outcome[]): Counts {
  const total = { ...counts };
  for (const { result } of outcomes) total[result] += 1;
  return total;
}

const COLUMNS = ['Order', 'Attendee', 'First name', 'Last name', 'Email', 'Ticket class', IMPORT_ERROR_HEADING];

function rejectsFile(rejects: readonly Outcome[]): AsyncIterable<Uint8Array> {
  const rows = rejects.map(({ order, attendee, who, ticket_class, why }) => [
    order,
    attendee,
    who.first_name,
    who.last_name,
    who.email,
    ticket_class,
    `${why!.code}: ${why!.words}`,
  ]);
  return csv(
    COLUMNS.map((heading) => ({ heading, kind: 'plain' })),
    onePage(rows),
  );
}
