import type tickets from '../../en/server/tickets.ts';
import type { Translated } from '../../message.ts';

export default {
  ticket: 'Ticket',
  people: { one: 'Teilnehmer:in', other: 'Teilnehmende' },
  days: 'Gültig am',
  registration: 'Anmeldung',
  terms: 'Bedingungen',
  test: 'Test',
  testNote: 'Berechtigt nicht zum Einlass',
  hint: 'Halten Sie diesen Code am Einlass bereit, ausgedruckt oder auf dem Bildschirm.',
  more: 'und {more} weitere',
} satisfies Translated<typeof tickets>;
