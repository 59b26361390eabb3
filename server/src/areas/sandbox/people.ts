import { type AttendeeInput, SAMPLES } from '@turnout/contract';
import { toUuid } from '../../common/ids.ts';
import { Refusal } from '../../common/refusal.ts';
import type { Work } from '../../road/operation.ts';
import { Book, receive, register } from '../registrations/index.ts';

/** Made-up people. Their addresses are at example.org, which never receives mail. */
const FIRST = [
  'Ada',
  'Béla',
  'Chidi',
  'Dalia',
  'Emre',
  'Fatou',
  'Grace',
  'Hiro',
  'Inês',
  'Jürgen',
  'Kiri',
  'Łukasz',
  'Mina',
  'Noé',
  'Olga',
  'Paco',
];
const LAST = [
  'Abara',
  'Bianchi',
  'Čapek',
  'Dubois',
  'Eriksen',
  'Fujita',
  'García',
  'Haddad',
  'Ivanova',
  'Jansen',
  'Kaya',
  'Lindqvist',
  'Müller',
  'Nowak',
  'Okafor',
];

let serial = 0;
function person(attendee_type: string, more: Partial<AttendeeInput> = {}): AttendeeInput {
  const first_name = FIRST[serial % FIRST.length]!;
  const last_name = LAST[(serial * 7) % LAST.length]!;
  serial += 1;
  return { attendee_type, first_name, last_name, email: `person${serial}@example.org`, ...more };
}

/**
 * Registers a few of everything: families, passes, club members, registrations that wait for approval, unpaid and paid ones.
 */
export async function addPeople(work: Work, event: string): Promise<number> {
  serial = 0;
  const book = await Book.open(work.tx, work.org, event, null);
  const days = [['day1'], ['day2'], ['day3'], ['day1', 'day2'], ['day2', 'day3'], ['day1', 'day2', 'day3']];
  const groups = [undefined, undefined, 'rowing', 'sailing', 'press'];
  let people = await addAda(book, work);
  for (let i = 0; i < 40; i += 1) {
    const when = days[i % days.length]!;
    const group = groups[i % groups.length];
    const attendees: AttendeeInput[] =
      i % 5 === 0
        ? [person('adult', { days: when }), person('adult', { days: when }), person('child', { days: when })]
        : i % 7 === 0
          ? [person('pass')]
          : i % 11 === 0
            ? [person('vip', { days: ['day2'] })]
            : [person('adult', { days: when })];
    const made = await register(book, work, { attendees, send_emails: false, ...(group && { group }) }, 'form');
    if (made instanceof Refusal) throw made;
    people += attendees.length;
    // Two of three have paid; the others are still pending.
    if (made.status === 'pending_payment' && i % 3 !== 2) {
      receive(book, made, { amount_minor: made.total_minor, method: i % 2 === 0 ? 'card' : 'transfer' });
    }
  }
  await book.close({ mails: false });
  return people;
}

/**
 * Registers the attendee of the reference's examples, with the same ids and ticket code. So an example that somebody copies
 * from the reference works in the sandbox, also after every refresh.
 */
async function addAda(book: Book, work: Work): Promise<number> {
  const { attendee, ticket } = SAMPLES;
  const { attendee_type, first_name, last_name, email, phone, days, group, answers } = attendee;
  // What the reference's example of a hand-out gives her.
  const products = [{ product: 'workshop', option: 'morning' }];
  const ada: AttendeeInput = { attendee_type, first_name, last_name, email, phone, days, group, answers, products };
  const made = await register(book, work, { attendees: [ada], group, send_emails: false }, 'form');
  if (made instanceof Refusal) throw made;
  // The ids can still be replaced, because nothing is written until the book is closed.
  made.attendees[0]!.id = toUuid(attendee.id);
  receive(book, made, { amount_minor: made.total_minor, method: 'transfer' });
  Object.assign(made.tickets[0]!, { id: toUuid(ticket.id), code: ticket.code });
  return 1;
}
