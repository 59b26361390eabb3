import { PLANS } from '@turnout/contract';

const plan = (code: string) => PLANS.find((one) => one.code === code)!;
const number = (value: number | null) => (value === null ? 'no limit' : value.toLocaleString('en'));
const limits = PLANS.map(
  ({ name, limits: { api_rate_per_min, api_calls_monthly } }) =>
    `| ${name} | ${number(api_rate_per_min)} | ${number(api_calls_monthly)} |`,
).join('\n');

export const INTRODUCTION = `Event registration, ticketing and check-in: the operations that the organizer's own app uses.`;

export interface Chapter {
  title: string;
  text: string;
}

/**
 * What a reader should know before the first call. Everything else is described at each operation. The titles are part of the
 * addresses of the reference page (\`/docs#tag/authentication\`), so a title that was released stays.
 */
export const CHAPTERS: readonly Chapter[] = [
  {
    title: 'Authentication',
    text: `Every call carries \`Authorization: Bearer <API_KEY>\`. The key identifies the organization, so no address contains it. Keys have
exact scopes: \`read\`, \`write\`, \`admin\`, \`scanner\`; none includes another. A key can be limited to a group, to some IP
addresses, and in time. What is outside its organization or group does not exist for it: the answer is 404, never 403.

Owners, admins and developers make keys in the app under *Developers*. The secret is shown once. A key belongs on a server, never into
a browser or an app that others install.

An app that many organizations install, such as one of an automation platform, also sends its name as \`X-Service-Client\`, for the
audit log. Your own integration leaves the header out.`,
  },
  {
    title: 'Test mode and sandbox',
    text: `A test key (\`svc_test_…\`) reads everything but creates and changes only test objects, which have \`test: true\`. A live object
is refused with \`test_key_live_object\`. Test registrations take no place from live ones, test scans are counted separately, and no
e-mail is sent about them. An event that a test key creates is a test event, in which everything is a test.

The organization \`sandbox\` is there for trying: made-up people, a public test key, and everything as new every night at 03:00 UTC. It
sends no webhooks and no e-mails, because everybody has its key.`,
  },
  {
    title: 'Formats',
    text: `Ids are ULIDs. Wherever an id is accepted, the object's code is accepted, too, in any case. Times are ISO 8601 in UTC. Amounts are
in the currency's minor unit. A body with an unknown field is refused; no field is silently ignored.`,
  },
  {
    title: 'Lists and pagination',
    text: `A list is \`{ data, page: { next_cursor, has_more } }\`: send \`next_cursor\` back as \`cursor\` until \`has_more\` is false.
\`limit\` is the size of a page. To follow changes, keep the newest \`updated_at\` that you have seen and send it as
\`updated_since\`. No change is lost, and the last object that you have seen may come once more. With \`include=removed\`,
what was deleted, or has left the group that the key is limited to, comes once more as \`{ id, removed: true, updated_at }\`.`,
  },
  {
    title: 'Changes by several people',
    text: `A PATCH changes only the fields that it sends. If it must not go over what somebody else has changed since you read the object, send
the object's \`ETag\`, which is its \`updated_at\` in quotation marks, as \`If-Match\` with the PATCH or DELETE. If the object was changed since,
nothing is done and the answer is 412 \`changed_meanwhile\`: read the object again and decide. A call whose answer was lost may have been
done; then a repetition is 412, too.`,
  },
  {
    title: 'Retries and idempotency',
    text: `Every POST needs an \`Idempotency-Key\`, any text of your choice that is new for each request. If you send it again with the same
body within 24 hours, you get the first answer, marked \`Idempotent-Replayed: true\`, and nothing happens twice. So after a time-out or
an answer of 5xx, send the same request again with the same key. With another body the key is refused (\`idempotency_key_reused\`), and
while the first request is still running, \`idempotency_in_progress\` asks you to wait.`,
  },
  {
    title: 'Refusals and errors',
    text: `The body of every refusal is \`{ error: { code, message, details?, request_id } }\`. Let your program decide by \`code\`, and treat
a code that you don't know as a refusal. \`details\` says for \`validation_failed\` which fields are wrong and why. Mention \`request_id\`
when you ask for help.`,
  },
  {
    title: 'Rate limits',
    text: `| Plan | Requests per minute | Calls per month |
|---|---|---|
${limits}

A key has 60 requests per minute unless it was given more, and never more than its plan. Every answer carries \`X-RateLimit-Limit\` and
\`X-RateLimit-Remaining\`; a call beyond the limit is refused with \`rate_limited\`, and \`Retry-After\` says in how many seconds the next
one is accepted. Reading needs the plan ${plan('growth').name}; changing and scanning need ${plan('scale').name}. Above 150 % of the
month's calls, calls are refused with \`quota_exceeded\` until the 1st (UTC).`,
  },
  {
    title: 'Webhook signatures',
    text: `Turnout sends a signed POST to your endpoint for each of the types that it subscribes to. Answer with 2xx within 15 seconds, and do
the work afterwards. Anything else is tried again after 1 minute, 5 minutes, 30 minutes, 2 hours, 12 hours and three times 24 hours. The
same envelope may arrive twice and in another order: remember its \`id\`.

The header \`Service-Signature\` is \`t=<unix seconds>,v1=<hex>\`. \`v1\` is the HMAC-SHA256 of \`<t>.<raw body>\`, keyed with the whole
secret including \`whsec_\`, over the bytes exactly as they arrived. For 24 hours after the secret was rotated there are two \`v1\`.
Compare in constant time, and refuse a \`t\` that is more than 300 seconds from your clock. The client libraries have a function for it,
and \`/webhook-vectors.json\` has test cases for your own.`,
  },
  {
    title: 'Versions',
    text: `This is version 1. No field and no operation is ever removed from it, and none changes its meaning. New fields and new refusal
codes may be added, so ignore what you don't know. Words in answers (a \`status\`, a \`result\`, the type of a webhook) are plain strings.
Those known today are listed as \`x-extensible-enum\`; others may be added.`,
  },
];

export const ABOUT = [INTRODUCTION, ...CHAPTERS.map(({ title, text }) => `## ${title}\n\n${text}`)].join('\n\n');
