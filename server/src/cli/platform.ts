import { text as readAll } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Job, PLATFORMS, type PlatformName } from '@turnout/contract';
import { openEvent } from '../areas/events/index.ts';
import {
  askAccount,
  askPlatform,
  type ConnectionRow,
  checkInput,
  connect,
  connectionShape,
  connections,
  disconnect,
  inputOf,
  platformImport,
} from '../areas/transfers/index.ts';
import { toUlid, toUuid } from '../common/ids.ts';
import { refuse } from '../common/refusal.ts';
import { eventbrite } from '../outside/eventbrite.ts';
import type { Platform } from '../outside/platforms.ts';
import { JOB_COLUMNS, type JobRow, jobShape, startJob } from '../road/for-areas/start-job.ts';
import { requireEntitlement } from '../road/gate/entitlements.ts';
import { sql } from '../store/sql.ts';
import { all, type Command, type OptionValues, text } from './command.ts';
import { clock, withDatabase } from './database.ts';
import { Operator } from './operator.ts';

const wrong = (message: string): never => refuse('validation_failed', { message });

const org = { required: true, says: 'code' };
const connection = { says: 'id of the connected account, if there are several' };
const sourceEvent = { required: true, says: 'id of the event on the platform' };

/** Importing attendees from another platform, as in the admin app: connect, look, map, start. */
export function platformCommands(known: Record<PlatformName, Platform> = { eventbrite: eventbrite() }): Command[] {
  const asOperator =
    (
      run: (operator: Operator, given: OptionValues, argument: string | undefined) => Promise<unknown>,
    ): Command['run'] =>
    (config, given, argument) =>
      withDatabase(config, async (pool) => {
        const operator = await Operator.of(config, pool, text(given.org)!, known);
        await operator.do('platform.asked', async ({ caller }) => requireEntitlement(caller, 'platform_import'));
        return run(operator, given, argument);
      });
  return [
    {
      words: 'platform connect',
      summary: 'Connect an account of another ticketing platform; its token is stored encrypted',
      options: {
        org,
        platform: { says: `${PLATFORMS.join(' or ')}, default eventbrite` },
        'token-env': { says: 'name of the environment variable that holds the token' },
        'token-stdin': { flag: true, says: 'read the token from standard input' },
      },
      run: asOperator(async (operator, given) => {
        const platform = (text(given.platform) ?? 'eventbrite') as PlatformName;
        if (!PLATFORMS.includes(platform)) wrong(`${platform} is not one of: ${PLATFORMS.join(', ')}.`);
        const account = await askAccount(operator.platforms, { platform, token: await tokenOf(given) })();
        return operator.do('platform.connected', async (work) =>
          connectionShape(await connect(work, platform, account)),
        );
      }),
    },
    {
      words: 'platform disconnect',
      argument: 'ID',
      summary: 'Disconnect an account and forget its token',
      options: { org },
      run: asOperator(async (operator, _given, id) => {
        const row = await connectionOf(operator, id);
        await operator.do('platform.disconnected', (work) => disconnect(work, row));
        return connectionShape(row);
      }),
    },
    {
      words: 'platform events',
      summary: 'List the events of a connected account',
      options: { org, connection },
      run: asOperator(async (operator, given) => {
        const row = await connectionOf(operator, text(given.connection));
        return { data: await askPlatform(operator.platforms, row, (reader) => reader.events())() };
      }),
    },
    {
      words: 'platform classes',
      summary: 'List the ticket classes of an event on the platform',
      options: { org, connection, 'source-event': sourceEvent },
      run: asOperator(async (operator, given) => ({ data: await classesOf(operator, given) })),
    },
    {
      words: 'platform import',
      summary: 'Import the attendees of an event; the server does it in the background',
      options: {
        org,
        connection,
        'source-event': sourceEvent,
        event: { required: true, says: 'id or code of the event to import them into' },
        map: { many: true, says: 'CLASS=TYPE or CLASS=TYPE:DAY+DAY; CLASS by id or name' },
        skip: { many: true, says: 'CLASS whose holders are not imported' },
        emails: { flag: true, says: 'send confirmation and ticket e-mails' },
        wait: { flag: true, says: 'wait until the import has finished' },
      },
      run: asOperator(async (operator, given) => {
        const job = await start(operator, given);
        return given.wait === true ? finished(operator, job.id) : job;
      }),
    },
  ];
}

async function start(operator: Operator, given: OptionValues): Promise<Job> {
  const row = await connectionOf(operator, text(given.connection));
  const classes = await classesOf(operator, given);
  const body = {
    connection: toUlid(row.id),
    source_event: text(given['source-event'])!,
    mapping: mappingOf(given, classes),
    send_emails: given.emails === true,
  };
  return operator.do('platform.import_started', async (work) => {
    const ref = text(given.event)!;
    const event =
      (await openEvent.find(work, ref, {})) ?? refuse('not_found', { message: `There is no event ${ref}.` });
    const wanted = await checkInput(work, event, body);
    return startJob(work, platformImport, { event: event.id, input: inputOf(body, wanted, classes) });
  });
}

/** The account with this id, or the only one if no id is given. */
const connectionOf = (operator: Operator, id: string | undefined): Promise<ConnectionRow> =>
  operator.do('platform.asked', async (work) => {
    const there = await connections(work.tx, work.org);
    const fitting = there.filter((row) => id === undefined || toUlid(row.id) === id);
    if (fitting.length === 1) return fitting[0]!;
    if (there.length === 0) return wrong('No account is connected. Connect one with turnout platform connect.');
    return wrong(
      `Choose an account with --connection: ${there.map((row) => `${toUlid(row.id)} (${row.account_name})`).join(', ')}`,
    );
  });

async function classesOf(operator: Operator, given: OptionValues) {
  const row = await connectionOf(operator, text(given.connection));
  return askPlatform(operator.platforms, row, (reader) => reader.ticketClasses(text(given['source-event'])!))();
}

async function tokenOf(given: OptionValues): Promise<string> {
  const variable = text(given['token-env']);
  if ((variable === undefined) !== (given['token-stdin'] === true)) {
    return wrong('Give the token either by --token-env NAME or by --token-stdin.');
  }
  const token = variable === undefined ? await readAll(process.stdin) : (process.env[variable] ?? '');
  return token.trim() || wrong('The token is empty.');
}

function mappingOf(given: OptionValues, classes: readonly { id: string; name: string }[]) {
  const idOf = (word: string): string =>
    classes.find((one) => one.id === word || one.name.toLowerCase() === word.toLowerCase())?.id ?? word;
  const mapped = all(given.map).map((word) => {
    const [, of, attendee_type, days] = /^(.+)=([^=:]+)(?::([^=:]+))?$/.exec(word) ?? [];
    if (of === undefined || attendee_type === undefined)
      return wrong(`--map ${word} is not of the form CLASS=TYPE or CLASS=TYPE:DAY+DAY.`);
    return { ticket_class: idOf(of), attendee_type, ...(days !== undefined && { days: days.split('+') }) };
  });
  return [...mapped, ...all(given.skip).map((word) => ({ ticket_class: idOf(word), attendee_type: null }))];
}

/** Waits until the job has finished. */
async function finished(operator: Operator, job: string): Promise<Job> {
  for (;;) {
    const now = await operator.do('platform.asked', async (work) => {
      const which = sql`j.org_id = ${work.org} and j.id = ${toUuid(job)}`;
      const row = await work.tx.one<JobRow>(sql`select ${JOB_COLUMNS} from jobs j where ${which}`);
      return jobShape(row, work, clock.now());
    });
    if (now.finished_at !== null) return now;
    await sleep(500);
  }
}
