import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../server/src/areas/index.ts';
import type { Id } from '../server/src/common/ids.ts';
import type { Operation } from '../server/src/road/operation.ts';
import { runSql } from './support/database.ts';
import { arrangeWorking, canWork, mountsOf, send, worked } from './support/matrix/calls.ts';
import { HOME, World } from './support/matrix/world.ts';
import { notes } from './support/note-lists.ts';
import { explain, type PlanNode, recording, type Statement } from './support/statements.ts';

/**
 * What every list must keep, checked for each one that is declared:
 *
 * - Clients can ask for changes (`updated_since`), and the rows are stamped by the clock of their event or organization. Rows that are
 *   stamped with the time of day lose changes (changes.test.ts shows it).
 * - An index gives the rows in the order of the list, so that a page costs the same however long the list is.
 */

/** Lists without `updated_since`, each with the reason. Most are logs, whose rows are read newest first. */
const WITHOUT_UPDATED_SINCE: Record<string, string> = {
  listAttendeeMessages: 'the mails about one person, as a report',
  listAuditLog: 'by id; rows do not change',
  listCheckIns: 'by the time of recording; scanners follow the roster instead',
  listCommunicationRecipients: 'by id; a report of one message',
  listCommunications: 'by id',
  listDisagreements: 'by the time of recording',
  listJobs: 'by id',
  listPayments: 'the payments of one registration; those of the event can be followed',
  listWebhookDeliveries: 'by id; rows do not change',
};

/** Lists whose rows are sorted after they are read, each with the reason. */
const SORTED: Record<string, string> = {
  listAttendeeMessages: 'mails, communications and their times are in three tables, and of one person there are few',
};

const isList = ({ method, query }: Operation): boolean => method === 'GET' && 'cursor' in propertiesOf(query);
const propertiesOf = (schema: unknown): Record<string, { enum?: string[] }> =>
  (schema as { properties?: Record<string, { enum?: string[] }> } | undefined)?.properties ?? {};
const isByChange = ({ query }: Operation): boolean => 'updated_since' in propertiesOf(query);
const lists = operations.filter(isList);

const MADE_UP = {
  right: notes('right_notes'),
  timeOfDay: notes('timely_notes', { timeOfDay: true }),
  noIndex: notes('scattered_notes', { noIndex: true }),
  noUpdatedSince: notes('silent_notes', { noUpdatedSince: true }),
};

let world: World;
let org: Id;
let key: string;
let reader: pg.Client;
beforeAll(async () => {
  const madeUp = Object.values(MADE_UP);
  world = await World.small(madeUp.flatMap(({ list, create }) => [list, create]));
  for (const { schema } of madeUp) await admin(schema);
  // Every clock stands in the year 2100 and only counts up from there. So a row that was stamped with the time of day shows.
  await admin(`update org_clocks set at = '2100-01-01'`);
  [{ id: org }] = (await admin(`select id from organizations where code = 'home'`)) as [{ id: Id }];
  key = await world.key(HOME.org);
  reader = new pg.Client({ connectionString: world.t.database.url });
  await reader.connect();
  await admin(`
    create table unstamped (name text, updated_at timestamptz);
    create function note_unstamped() returns trigger language plpgsql security definer as $$
    begin
      insert into public.unstamped values (tg_table_name, new.updated_at);
      return null;
    end $$`);
});
afterAll(async () => {
  await reader?.end();
  await world?.stop();
});
const admin = (text: string) => runSql(world.t.database.adminUrl, text);

/** The statements of a list that give rows in an order. */
async function pagesOf(list: Operation, query: Record<string, string> = {}): Promise<Statement[]> {
  const subject = await arrangeWorking(world, list);
  const sent = await recording(async () => {
    const reply = await send(world, list, mountsOf(list)[0]!, { key }, { ...subject, query: {} }, { query });
    expect(reply.status, reply.text).toBe(200);
  });
  const pages = sent.filter(({ text }) => /\border by\b/i.test(text) && /\blimit\b/i.test(text));
  expect(pages.length, `${list.id} sends no statement with an order and a limit`).toBeGreaterThan(0);
  return pages;
}

describe('clients can ask a list for changes', () => {
  const faultOf = (list: Operation): string | null => {
    if (isByChange(list) === list.id in WITHOUT_UPDATED_SINCE) {
      return isByChange(list)
        ? `${list.id} has updated_since, and is among those without it in lists.test.ts`
        : `${list.id} has no updated_since: take its query from ChangedQuery and its pages from byChange, or say why not in lists.test.ts`;
    }
    return null;
  };

  test('every one, but for the exceptions', () => {
    expect(lists.map(faultOf).filter(Boolean)).toEqual([]);
    expect(Object.keys(WITHOUT_UPDATED_SINCE).filter((id) => !lists.some((list) => list.id === id))).toEqual([]);
  });

  test('the guard fails for a made-up list without updated_since', () => {
    expect(faultOf(MADE_UP.right.list)).toBeNull();
    expect(faultOf(MADE_UP.noUpdatedSince.list)).toMatch(/^list_silent_notes has no updated_since: /);
  });
});

describe('an index gives the rows in the order of the list', () => {
  // What PostgreSQL can do without these, it does, however few the rows are.
  const WITHOUT_SORTING = ['sort', 'incremental_sort', 'seqscan', 'bitmapscan']
    .map((kind) => `set local enable_${kind} = off`)
    .join('; ');

  /** The steps that the order comes from: not what is looked up for each row. */
  const ordering = (node: PlanNode): PlanNode[] => [
    node,
    ...(node.Plans ?? [])
      .filter((child) => !['SubPlan', 'InitPlan'].includes(child['Parent Relationship'] ?? ''))
      .filter((child) => node['Node Type'] !== 'Nested Loop' || child['Parent Relationship'] === 'Outer')
      .flatMap(ordering),
  ];

  async function faultsOf(list: Operation, query: Record<string, string> = {}): Promise<string[]> {
    const faults: string[] = [];
    for (const page of await pagesOf(list, query)) {
      for (const node of ordering(await explain(reader, org, page, { before: WITHOUT_SORTING }))) {
        if (/Sort$/.test(node['Node Type']) && !(list.id in SORTED)) {
          faults.push(
            `${list.id} has to sort by ${node['Sort Key']}: its table needs an index that ends with these columns`,
          );
        }
        if ('event' in list.at && /\bevent_id = /.test(node.Filter ?? '')) {
          faults.push(
            `${list.id} reads past the rows of other events: the index on ${node['Relation Name']} needs event_id`,
          );
        }
      }
    }
    return faults;
  }

  const orders = lists.flatMap((list) => {
    const named = propertiesOf(list.query).order?.enum ?? [];
    return [{}, ...named.map((order) => ({ order }))].map(
      (query) => [list.id, JSON.stringify(query), list, query] as const,
    );
  });
  test.each(orders)('%s %s', async (_id, _query, list, query) => {
    expect(await faultsOf(list, query as Record<string, string>)).toEqual([]);
  });

  test('the guard fails for a made-up list without its index', async () => {
    expect(await faultsOf(MADE_UP.right.list)).toEqual([]);
    expect(await faultsOf(MADE_UP.noIndex.list)).toEqual([
      'list_scattered_notes has to sort by updated_at,id: its table needs an index that ends with these columns',
    ]);
  });

  test('the guard fails where the index is not of the event', async () => {
    const days = lists.find(({ id }) => id === 'listDays')!;
    await admin('drop index days_changed; create index days_changed on days (org_id, updated_at, id)');
    try {
      expect(await faultsOf(days)).toEqual([
        'listDays reads past the rows of other events: the index on days needs event_id',
      ]);
    } finally {
      await admin('drop index days_changed; create index days_changed on days (org_id, event_id, updated_at, id)');
    }
  });
});

describe('the rows of a list are stamped by a clock', () => {
  const watched = new Set<string>();
  /** From here on, each row of the list's table that is written without a stamp of a clock is noted. */
  async function watch(list: Operation): Promise<void> {
    for (const { text } of await pagesOf(list)) {
      const alias = /\border by (\w+)\.updated_at\b/i.exec(text)?.[1];
      const table = new RegExp(`\\b(?:from|join) (\\w+) (?:as )?${alias}\\b`, 'i').exec(text)?.[1];
      expect(table, `the table of ${list.id} in ${text}`).toBeDefined();
      if (watched.has(table!)) continue;
      watched.add(table!);
      await admin(`create trigger unstamped after insert or update on ${table} for each row
        when (new.updated_at < '2100-01-01') execute function note_unstamped()`);
    }
  }
  beforeAll(async () => {
    const madeUp = Object.values(MADE_UP).map(({ list }) => list);
    for (const list of [...lists, ...madeUp].filter(isByChange)) await watch(list);
    expect([...watched]).toEqual(expect.arrayContaining(['groups', 'events', 'days', 'attendees', 'contacts']));
  });

  /** The tables in which an operation writes a row without a stamp. */
  async function faultsOf(op: Operation): Promise<string[]> {
    await admin('truncate unstamped');
    const member = op.keysRefused !== undefined || mountsOf(op).every(({ by }) => by === 'member');
    const mount = mountsOf(op).find(({ by }) => (by === 'member') === member)!;
    const as = member ? { session: await world.t.session(HOME.org, 'owner') } : { key };
    worked(op, await send(world, op, mount, as, await arrangeWorking(world, op)));
    const rows = await admin('select distinct name from unstamped order by 1');
    return rows.map(
      ({ name }) => `${op.id} writes a row of ${name} without a stamp: take it from stampEvent or stampOrganization`,
    );
  }

  const writes = operations.filter((op) => op.method !== 'GET' && canWork(op) && mountsOf(op).length > 0);
  test.each(writes.map((op) => [op.id, op] as const))('%s', async (_id, op) => {
    expect(await faultsOf(op)).toEqual([]);
  });

  test('the guard fails for a made-up list that is stamped with the time of day', async () => {
    expect(await faultsOf(MADE_UP.right.create)).toEqual([]);
    expect(await faultsOf(MADE_UP.timeOfDay.create)).toEqual([
      'create_timely_notes writes a row of timely_notes without a stamp: take it from stampEvent or stampOrganization',
    ]);
  });
});
