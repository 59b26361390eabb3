import type { Facts, MailWords } from './mail-words.ts';

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** An organization's own term never follows "a" or "an" in these sentences, because only "your" and "the" fit every noun. */
export function en(own: Record<string, string>): MailWords {
  const registration = own.registration ?? 'registration';
  const ticket = own.ticket ?? 'ticket';
  const tickets = own.tickets ?? 'tickets';
  const attached = ({ tickets: count, attached: first }: Facts) =>
    count === 0
      ? []
      : first === 0
        ? [
            count === 1
              ? `You find your ${ticket} online, with your ${registration}. Please have it ready at the entrance, printed or on your phone.`
              : `You find your ${tickets} online, with your ${registration}. Please have them ready at the entrance, printed or on your phone.`,
          ]
        : first < count
          ? [
              `The first ${first} of your ${count} ${tickets} are attached as PDF files. You find the others online, with your ${registration}.`,
            ]
          : count === 1
            ? [`Your ${ticket} is attached as a PDF. Please have it ready at the entrance, printed or on your phone.`]
            : [
                `Your ${tickets} are attached as PDFs. Please have them ready at the entrance, printed or on your phone.`,
              ];
  const pay = ({ open, due, keep, code }: Facts) =>
    open === null
      ? []
      : [
          due === null ? `Please pay ${open}.` : `Please pay ${open} by ${due}. After that the places are released.`,
          ...(keep === null
            ? []
            : [`To have the places held until ${keep}, open the page below and confirm your e-mail address there.`]),
          `Quote ${code} with your payment. Your ${registration} is confirmed as soon as it has arrived.`,
        ];
  const next = (facts: Facts) => {
    if (facts.status === 'pending_payment') return pay(facts);
    if (facts.status === 'pending_approval') return ['The organizer is reviewing it and we will write to you again.'];
    return [`Your ${registration} is confirmed.`, ...attached(facts)];
  };
  const soon = (facts: Facts) =>
    facts.status === 'confirmed' ? attached(facts) : [`Your ${ticket} follows as soon as everything is confirmed.`];
  return {
    language: 'en',
    colon: ':',
    messages: {
      confirmation: {
        subject: ({ event }) => `Confirmed: ${event}`,
        title: `Your ${registration} is confirmed`,
        lines: (facts) => ['We look forward to seeing you.', ...attached(facts)],
      },
      waitlisted: {
        subject: ({ event }) => `Waiting list: ${event}`,
        title: 'You are on the waiting list',
        lines: () => [
          `There is no place free at the moment. Your ${registration} is on the waiting list, and we will write to you as soon as a place comes free.`,
          'There is nothing you need to do.',
        ],
      },
      approval_pending: {
        subject: ({ event }) => `Received: your ${registration} for ${event}`,
        title: `We have received your ${registration}`,
        lines: () => ['The organizer reviews it and we will write to you again. There is nothing you need to do.'],
      },
      approved: {
        subject: ({ event }) => `Approved: your ${registration} for ${event}`,
        title: `Your ${registration} has been approved`,
        lines: next,
      },
      declined: {
        subject: ({ event }) => `Your ${registration} for ${event}`,
        title: `Your ${registration} could not be accepted`,
        lines: () => [`We are sorry: the organizer could not accept your ${registration}.`],
      },
      cancelled: {
        subject: ({ event }) => `Cancelled: your ${registration} for ${event}`,
        title: `Your ${registration} has been cancelled`,
        lines: () => [`All ${tickets} issued for it are no longer valid.`],
      },
      ticket_reissued: {
        subject: ({ event }) => `Your new ${ticket} for ${event}`,
        title: `Your new ${ticket}`,
        lines: (facts) => [
          `Your ${ticket} has been replaced. The earlier one is no longer valid: please use only the new one.`,
          ...attached(facts),
        ],
      },
      payment_due: {
        subject: ({ event }) => `Payment for ${event}`,
        title: 'Your places are reserved',
        lines: pay,
      },
      promoted: {
        subject: ({ event }) => `A place has come free: ${event}`,
        title: 'You have moved up from the waiting list',
        lines: (facts) => ['Good news: a place has come free for you.', ...next(facts)],
      },
      registration_expired: {
        subject: ({ event }) => `Expired: your ${registration} for ${event}`,
        title: `Your ${registration} has expired`,
        lines: () => [
          'Your payment did not arrive in time, so the places have been released.',
          'If there are places left, you are welcome to register again.',
        ],
      },
      attendee_ticket: {
        subject: ({ event, tickets: count }) => `Your ${count > 1 ? tickets : ticket} for ${event}`,
        title: ({ tickets: count }) => (count > 1 ? `Here are your ${tickets}` : `Here is your ${ticket}`),
        lines: (facts) => ['You have been registered, and we look forward to seeing you.', ...attached(facts)],
      },
      attendee_cancelled: {
        subject: ({ event }) => `Cancelled: your place at ${event}`,
        title: 'Your place has been cancelled',
        lines: () => [
          `You are no longer registered for this event. If you already have your ${ticket}, it no longer admits you.`,
          'If you have any questions about this, please contact the organizer.',
        ],
      },
      place_received: {
        subject: ({ event }) => `You have a place: ${event}`,
        title: 'A place was handed to you',
        lines: (facts) => [
          'Somebody has handed their place to you, and we look forward to seeing you.',
          ...soon(facts),
        ],
      },
      place_handed_on: {
        subject: ({ event }) => `Handed on: your place at ${event}`,
        title: 'Your place was handed on',
        lines: () => [
          `Your place now belongs to somebody else. If you already have your ${ticket}, it no longer admits you.`,
          'If you have any questions about this, please contact the organizer.',
        ],
      },
    },
    greeting: (name) => `Hello ${name},`,
    hello: 'Hello,',
    signOff: 'Kind regards',
    footer: (event) => `You receive this mail because of your ${registration} for ${event}.`,
    reason: 'Message from the organizer',
    registration: capital(registration),
    total: 'Total',
    paid: 'Paid',
    open: 'To pay',
    due: 'Pay by',
    people: (count) => capital(count === 1 ? (own.attendee ?? 'attendee') : (own.attendees ?? 'attendees')),
    tickets: (count) => capital(count === 1 ? ticket : tickets),
    qr: 'QR code',
    openTicket: 'Open PDF',
    manage: `My ${registration}`,
    payNow: 'Pay now',
    calendar: 'Add to calendar',
    howToPay: 'How to pay',
    more: (count) => `and ${count} more`,
  };
}
