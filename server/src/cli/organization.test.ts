import { expect, test } from 'vitest';
import type { OptionValues } from './command.ts';
import { setOrganization } from './organization.ts';

test.each<[OptionValues, RegExp]>([
  [{}, /^Nothing to set\. Give --name,/],
  [{ currency: 'ZZZ', name: ' ' }, /^name must have .*; currency must be an ISO 4217 currency such as EUR\.$/],
  [
    { term: ['visitor=guest'] },
    /^--term visitor=guest is not of the form NOUN=WORD\. The nouns are: attendee, attendees, /,
  ],
  [{ term: ['attendee'] }, /NOUN=WORD/],
  [{ accent: 'teal' }, /^accent must be a colour/],
  [{ term: ['__proto__=guest'] }, /NOUN=WORD/],
  [{ term: [`attendee=${'x'.repeat(61)}`] }, /^terminology\/attendee must have at most 60/],
])('org set %j is refused before anything is asked of the database', async (given, says) => {
  await expect((async () => setOrganization(null as never, given))()).rejects.toThrow(says);
});
