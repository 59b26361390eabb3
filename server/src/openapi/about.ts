import { PLANS } from '@turnout/contract';

const plan = (code: string) => PLANS.find((one) => one.code === code)!;
const number = (value: number | null) => (value === null ? 'no limit' : value.toLocaleString('en'));
const limits = PLANS.map(
  ({ name, limits: { api_rate_per_min, api_calls_monthly } }) =>
    `| ${name} | ${number(api_rate_per_min)} | ${number(api_calls_monthly)} |`,
).join('\n');

/** What a reader should know before the first call; the rest stands at each operation. */
export const ABOUT = `Event registration, ticketing and check-in: the operations that the organizer's own app uses.

### Authentication

Every call carries \`Authorization: Bearer <API_KEY>\`. The key identifies the organization, so no address names it. Keys have
exact scopes: \`read\`, \`write\`, \`admin\`, \`scanner\`; none stands in for another. A test key (\`svc_test_…\`) reads everything
but creates and changes only test objects.

### Formats

Ids are ULIDs; wherever an id is taken, the object's code is taken, too, ignoring case. Times are ISO 8601 in UTC. Money is in
the currency's minor unit. A body with an unknown field is refused, never silently cut.

### Lists

\`{ data, page: { next_cursor, has_more } }\`: send \`next_cursor\` back as \`cursor\` until \`has_more\` is false. To follow
changes, keep the newest \`updated_at\` you saw and send it as \`updated_since\`: nothing is lost.

### Retries

Every POST needs an \`Idempotency-Key\`. Sent again with the same body within 24 hours, it gets the first answer back, marked
\`Idempotent-Replayed: true\`, and nothing happens twice.

### Refusals

\`{ error: { code, message, details?, request_id } }\`. Decide from \`code\`; a code you don't know is a refusal. What is outside
the key's organization or group is 404, never 403.

### Limits

| Plan | Requests a minute | Calls a month |
|---|---|---|
${limits}

A key has 60 requests a minute unless it was given more, never above its plan. Reading needs the plan ${plan('growth').name},
changing and scanning need ${plan('scale').name}. Past 150 % of the month's calls, calls are refused until the 1st (UTC).

### Versions

This is version 1. No field and no operation is ever removed from it, and none changes its meaning. New fields and new refusal
codes may appear: ignore what you don't know. Words in answers (a \`status\`, a \`result\`, a type of webhook) are plain strings; those
known today are listed as \`x-extensible-enum\`, and others may be added.`;
