import type tickets from '../../en/server/tickets.ts';
import type { Translated } from '../../message.ts';

export default {
  ticket: 'Billet',
  people: { one: 'Participant(e)', other: 'Participants' },
  days: { one: 'Valable le', other: 'Valable les' },
  registration: 'Inscription',
  terms: 'Conditions',
  test: 'Test',
  testNote: 'Ne donne pas droit à l’entrée',
  hint: 'Présentez ce code à l’entrée, imprimé ou sur votre écran.',
  more: 'et {more} de plus',
} satisfies Translated<typeof tickets>;
