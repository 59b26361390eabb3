// Writes webhook-vectors.json: signed requests that every receiver must accept or refuse. It uses node:crypto and no code of the
// verifier, which is tested with these vectors.
//   vectors.mjs                    writes the file
//   vectors.mjs --check            fails if the file is not up to date
//   vectors.mjs --at UNIX_SECONDS  prints the same vectors signed for that moment, for a receiver whose clock cannot be set
import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = new URL('../webhook-vectors.json', import.meta.url);
const PUBLISHED_AT = 1_800_000_000; // 2027-01-15T08:00:00Z

// The secret that the receiver has in all vectors, and another one. Both are published, so they protect nothing.
const OURS = 'whsec_D/hLKo1XPifI5JSof17u/O+5nN3hF2K5ou1Bnk1ciKU=';
const OTHER = 'whsec_ecx5Ce8OcEhpW/FeJ9rHkcOuudXP137sia+M6cFfIPk=';
const decoded = (secret) => Buffer.from(secret.slice('whsec_'.length), 'base64');

const hmac = (key, ...parts) => {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac;
};
/** `v1` is lowercase hex over `<t>.<body>`. The key is the whole text of the secret, `whsec_` included. */
const v1 = (key, t, body) => hmac(key, `${t}.`, body).digest('hex');
/** `t`, and then one `v1` for each key. */
const header = (t, body, ...keys) => [`t=${t}`, ...keys.map((key) => `v1=${v1(key, t, body)}`)].join(',');
/** Standard Webhooks sign with base64 over `<id>.<t>.<body>`. The key is the decoded base64 that follows `whsec_`. */
const standardHeaders = (id, t, body, ...secrets) => ({
  'webhook-id': id,
  'webhook-timestamp': String(t),
  'webhook-signature': secrets
    .map((secret) => `v1,${hmac(decoded(secret), `${id}.${t}.`, body).digest('base64')}`)
    .join(' '),
});

const ID = 'evt_01MCC5RJ1GT8Z3P6W0HC5RNX7D';
const EMPTY = '{}';
/** `data` has only a few fields, because a signature does not depend on what it signs. */
const envelope = (first_name) =>
  JSON.stringify({
    id: ID,
    type: 'registration.confirmed',
    api_version: '2026-11-01',
    created_at: '2027-01-15T07:59:58Z',
    livemode: true,
    data: {
      id: '01MCC5RJ1GQ4V7B2J9K0XCT5RA',
      code: 'K7M2XQ9R4T',
      status: 'confirmed',
      contact: { first_name, last_name: null },
      total_minor: 2500,
    },
  });
const ASCII = envelope('Ada');
const UNICODE = envelope('Zoë Łukasz 山田太郎 🎟️👩‍👩‍👧 مرحبا שלום');
const ESCAPED = String.raw`{"id":"${ID}","data":{"name":"Zo\u00eb \ud83c\udf9f \/ \u2028 \"<&>\" \u0000"}}`;
const LAID_OUT = `{ "livemode": true,\n  "id" : "${ID}",\n\t"data": { "amount_minor": 1.0e3, "b": 2, "a": 1, "a": 3 } }`;
const LINES = `{\r\n  "id": "${ID}"\r\n}`;

/** The requests for a receiver that has the secret OURS and whose clock says `now`. */
function vectorsAt(now) {
  const accepted = (name, body, { t = now, secrets = [OURS], entries = '' } = {}) =>
    vector(name, body, t, `${header(t, body, ...secrets)}${entries}`, {
      valid: true,
      standard: { id: ID, headers: standardHeaders(ID, t, body, ...secrets) },
    });
  const refused = (name, error, value, { body = ASCII, t = now } = {}) =>
    vector(name, body, t, value, { valid: false, error });
  const vector = (name, body, t, value, expected) => ({
    name,
    secret: OURS,
    t,
    now,
    body_text: body,
    body_base64: Buffer.from(body).toString('base64'),
    header: value,
    ...expected,
  });
  const ours = v1(OURS, now, ASCII);
  const flipped = (text, at) => `${text.slice(0, at)}${text[at] === '0' ? '1' : '0'}${text.slice(at + 1)}`;

  return [
    accepted('an empty object', EMPTY),
    accepted('an envelope in ASCII', ASCII),
    accepted('an envelope with accents, wide characters, emoji and right-to-left text', UNICODE),
    accepted('escapes stay as they were sent', ESCAPED),
    accepted('spaces, order, repeated keys and numbers stay as they were sent', LAID_OUT),
    accepted('a newline at the end is part of the body', `${ASCII}\n`),
    accepted('lines that end with CR LF', LINES),

    refused('one byte of the body changed', 'no_match', header(now, ASCII, OURS), {
      body: ASCII.replace('2500', '9500'),
    }),
    refused('the empty object with a space in it', 'no_match', header(now, EMPTY, OURS), { body: '{ }' }),
    refused('a newline at the end that was not signed', 'no_match', header(now, ASCII, OURS), { body: `${ASCII}\n` }),
    refused('CR LF turned into LF', 'no_match', header(now, LINES, OURS), { body: LINES.replaceAll('\r', '') }),
    refused('the same text in another Unicode form', 'no_match', header(now, UNICODE, OURS), {
      body: UNICODE.normalize('NFD'),
    }),
    refused('parsed and written again', 'no_match', header(now, LAID_OUT, OURS), {
      body: JSON.stringify(JSON.parse(LAID_OUT)),
    }),

    accepted('rotation: the receiver has the new secret', ASCII, { secrets: [OURS, OTHER] }),
    accepted('rotation: the receiver has the old secret', ASCII, { secrets: [OTHER, OURS] }),
    refused('signed with another secret', 'no_match', header(now, ASCII, OTHER)),
    refused('rotation: one byte of the body changed', 'no_match', header(now, ASCII, OTHER, OURS), {
      body: ASCII.replace('2500', '9500'),
    }),

    refused('keyed with the decoded secret, as Standard Webhooks does', 'no_match', header(now, ASCII, decoded(OURS))),
    refused('keyed with the secret without whsec_', 'no_match', header(now, ASCII, OURS.slice('whsec_'.length))),
    refused('signed without t', 'no_match', `t=${now},v1=${hmac(OURS, ASCII).digest('hex')}`),
    refused('t changed after signing', 'no_match', `t=${now - 1},v1=${ours}`, { t: now - 1 }),
    refused('the first digit of the signature changed', 'no_match', `t=${now},v1=${flipped(ours, 0)}`),
    refused('the last digit of the signature changed', 'no_match', `t=${now},v1=${flipped(ours, 63)}`),

    accepted('300 seconds old', ASCII, { t: now - 300 }),
    accepted('300 seconds ahead', ASCII, { t: now + 300 }),
    refused('301 seconds old', 'too_old', header(now - 301, ASCII, OURS), { t: now - 301 }),
    refused('301 seconds ahead', 'too_new', header(now + 301, ASCII, OURS), { t: now + 301 }),
    refused('an hour old', 'too_old', header(now - 3600, ASCII, OURS), { t: now - 3600 }),
    refused('an hour ahead', 'too_new', header(now + 3600, ASCII, OURS), { t: now + 3600 }),

    accepted('an entry of a later scheme is left alone', ASCII, { entries: ',v2=AbC-0_9+/=' }),
    refused('no header', 'missing_header', null),
    refused('an empty header', 'malformed_header', ''),
    refused('no t', 'malformed_header', `v1=${ours}`),
    refused('no v1', 'malformed_header', `t=${now}`),
    refused('only an entry of a later scheme', 'malformed_header', `t=${now},v2=${ours}`),
    refused('t twice', 'malformed_header', `t=${now},t=${now},v1=${ours}`),
    refused('t is not a number', 'malformed_header', `t=${now}.0,v1=${ours}`),
    refused('hex in upper case', 'malformed_header', `t=${now},v1=${ours.toUpperCase()}`),
    refused('not hex', 'malformed_header', `t=${now},v1=${ours.slice(0, 63)}g`),
    refused('a digit short', 'malformed_header', `t=${now},v1=${ours.slice(0, 63)}`),
    refused('a digit too many', 'malformed_header', `t=${now},v1=${ours}0`),
    refused('base64 in place of hex', 'malformed_header', `t=${now},v1=${Buffer.from(ours, 'hex').toString('base64')}`),
  ];
}

const file = (now) => `${JSON.stringify({ version: 1, vectors: vectorsAt(now) }, null, 2)}\n`;

const [option, value] = process.argv.slice(2);
if (option === '--at' && /^[0-9]+$/.test(value)) {
  process.stdout.write(file(Number(value)));
} else if (option === '--check') {
  if (readFileSync(FILE, 'utf8') !== file(PUBLISHED_AT)) {
    console.error(
      'packages/sdk/webhook-vectors.json is not what its script writes. Run `npm run generate` and commit the result.',
    );
    process.exitCode = 1;
  }
} else if (option === undefined) {
  writeFileSync(FILE, file(PUBLISHED_AT));
} else {
  console.error('vectors.mjs [--check | --at UNIX_SECONDS]');
  process.exitCode = 2;
}
