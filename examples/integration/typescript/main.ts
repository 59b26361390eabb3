// Registers people, scans their tickets, receives webhooks and keeps a copy of all attendees. See ../README.md.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type AttendeeInput, SignatureError, Turnout, verify } from '@turnout/sdk';
import { Envelopes, People, readJsonLines, storedOnce } from './store.ts';

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set.`);
  return value;
}
const event = setting('EVENT');
const checkInPoint = setting('CHECK_IN_POINT');
const folder = setting('STORE_DIR');

const turnout = new Turnout({
  key: setting('TURNOUT_KEY'),
  baseUrl: setting('TURNOUT_URL'),
  maxRetries: 40, // with at most ten seconds between two tries: more than five minutes
  onRetry: ({ operation, delay, error }) => console.error(`${operation}: ${error.message} Again in ${delay} ms.`),
});

const stop = new AbortController();
const { signal } = stop;
for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stop.abort(name));

// The same Idempotency-Key gives the same answer, so a program that is killed before it has stored the secret still gets it.
const url = setting('WEBHOOK_URL');
const endpoint = await storedOnce(folder, 'endpoint.json', () =>
  turnout.webhooks.create({ url, events: ['*'], event }, { signal, idempotencyKey: `endpoint-${url}` }),
);

const people = new People(folder);
const envelopes = new Envelopes(folder);
let woken = () => {};

const server = createServer(async (request, response) => {
  try {
    const body = await buffer(request);
    const envelope = await verify(body, request.headers['service-signature'], endpoint.secret);
    envelopes.handle(envelope); // once for each id, and on the disk before the answer
    response.writeHead(204).end();
    woken();
  } catch (error) {
    response.writeHead(error instanceof SignatureError ? 400 : 500).end();
  }
});
server.listen(Number(setting('WEBHOOK_PORT')), '127.0.0.1');

async function follow(): Promise<void> {
  for (;;) {
    for await (const batch of turnout.attendees.changes(event, { since: people.since }, { signal })) people.take(batch);
    // Looks again when a webhook arrives, and every two seconds.
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 2000);
      woken = () => {
        clearTimeout(timer);
        resolve();
      };
      signal.addEventListener('abort', woken, { once: true });
    });
    signal.throwIfAborted();
  }
}

/** A UUID that is the same whenever it is made of the same text. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

async function registerAndScan(): Promise<void> {
  let admitted = 0;
  for (const person of readJsonLines<AttendeeInput>(setting('PEOPLE_FILE'))) {
    const registration = await turnout.registrations.create(
      event,
      { attendees: [person], send_emails: false },
      { signal, idempotencyKey: `register-${person.external_id}` },
    );
    for (const ticket of registration.attendees.flatMap((attendee) => attendee.tickets)) {
      const scan = { code: ticket.code!, check_in_point: checkInPoint, client_uuid: uuidOf(ticket.id) };
      if ((await turnout.scanning.scan(event, scan, { signal })).admitted) admitted += 1;
    }
  }
  console.log(`scanned ${admitted}`);
}

console.log('ready');
try {
  await Promise.all([follow(), registerAndScan()]);
} catch (error) {
  if (!signal.aborted) {
    console.error(error);
    process.exitCode = 1;
  }
}
server.close();
server.closeAllConnections();
