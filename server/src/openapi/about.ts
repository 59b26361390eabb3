import { PLANS } from '@turnout/contract';

const plan = (code: string) => PLANS.find((one) => one.code === code)!;
const number = (value: number | null) => (value === null ? 'no limit' : value.toLocaleString('en'));
const limits = PLANS.map(
  ({ name, limits: { api_rate_per_min, api_calls_monthly } }) =>
    `| ${name} | ${number(api_rate_per_min)} | ${number(api_calls_monthly)} |`,
).join('\n');

/** What a reader should know before the first call. Everything else is described at each operation. */
export const ABOUT = `Event registration, ticketing and check-in: the operations that the organizer's own app uses.

### Authentication

Every call carries \`Authorization: Bearer <API_KEY>\`. The key identifies the organization, so no address contains it. Keys have
exact scopes: \`read\`, \`write\`, \`admin\`, \`scanner\`; none includes another. A test key (\`svc_test_…\`) reads everything
but creates and changes only test objects.

### Formats

Ids are ULIDs. Wherever an id is accepted, the object's code is accepted, too, in any case. Times are ISO 8601 in UTC. Amounts are in
the currency's minor unit. A body with an unknown field is refused; no field is silently ignored.

### Lists

\`{ data, page: { next_cursor, has_more } }\`: send \`next_cursor\` back as \`cursor\` until \`has_more\` is false. To follow
changes, keep the newest \`updated_at\` that you have seen and send it as \`updated_since\`. No change is lost.

### Retries

Every POST needs an \`Idempotency-Key\`. If you send it again with the same body within 24 hours, you get the first answer, marked
\`Idempotent-Replayed: true\`, and nothing happens twice.

### Refusals

\`{ error: { code, message, details?, request_id } }\`. Let your program decide by \`code\`, and treat a code that you don't know as a
refusal. Whatever is outside the key's organization or group is answered with 404, never with 403.

### Limits

| Plan | Requests per minute | Calls per month |
|---|---|---|
${limits}

A key has 60 requests per minute unless it was given more, and never more than its plan. Reading needs the plan
${plan('growth').name}; changing and scanning need ${plan('scale').name}. Above 150 % of the month's calls, calls are refused until the 1st (UTC).

### Versions

This is version 1. No field and no operation is ever removed from it, and none changes its meaning. New fields and new refusal
codes may be added, so ignore what you don't know. Words in answers (a \`status\`, a \`result\`, the type of a webhook) are plain strings.
Those known today are listed as \`x-extensible-enum\`; others may be added.`;
