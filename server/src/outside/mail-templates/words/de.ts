import type { Facts, MailWords } from './mail-words.ts';

const attachedLines = ({ tickets, attached }: Facts) =>
  tickets === 0
    ? []
    : attached === 0
      ? [
          tickets === 1
            ? 'Ihr Ticket finden Sie online bei Ihrer Anmeldung. Bitte halten Sie es am Einlass bereit, ausgedruckt oder auf dem Handy.'
            : 'Ihre Tickets finden Sie online bei Ihrer Anmeldung. Bitte halten Sie sie am Einlass bereit, ausgedruckt oder auf dem Handy.',
        ]
      : attached < tickets
        ? [
            `Die ersten ${attached} Ihrer ${tickets} Tickets finden Sie als PDF im Anhang, die übrigen online bei Ihrer Anmeldung.`,
          ]
        : tickets === 1
          ? [
              'Ihr Ticket finden Sie als PDF im Anhang. Bitte halten Sie es am Einlass bereit, ausgedruckt oder auf dem Handy.',
            ]
          : [
              'Ihre Tickets finden Sie als PDF im Anhang. Bitte halten Sie sie am Einlass bereit, ausgedruckt oder auf dem Handy.',
            ];

const pay = ({ open, due, keep, code }: Facts) =>
  open === null
    ? []
    : [
        due === null
          ? `Bitte zahlen Sie ${open}.`
          : `Bitte zahlen Sie ${open} bis ${due}. Danach werden die Plätze wieder freigegeben.`,
        ...(keep === null
          ? []
          : [
              `Damit die Plätze bis ${keep} reserviert bleiben, öffnen Sie die Seite unten und bestätigen Sie dort Ihre E-Mail-Adresse.`,
            ]),
        `Geben Sie bei der Zahlung ${code} an. Sobald sie eingegangen ist, ist Ihre Anmeldung bestätigt.`,
      ];

function next(facts: Facts): string[] {
  if (facts.status === 'pending_payment') return pay(facts);
  if (facts.status === 'pending_approval') return ['Der Veranstalter prüft sie noch; wir melden uns wieder bei Ihnen.'];
  return ['Ihre Anmeldung ist bestätigt.', ...attachedLines(facts)];
}

const soon = (facts: Facts): string[] =>
  facts.status === 'confirmed' ? attachedLines(facts) : ['Ihr Ticket folgt, sobald alles bestätigt ist.'];

export const de: MailWords = {
  language: 'de',
  colon: ':',
  messages: {
    confirmation: {
      subject: ({ event }) => `Bestätigt: ${event}`,
      title: 'Ihre Anmeldung ist bestätigt',
      lines: (facts) => ['Wir freuen uns auf Sie.', ...attachedLines(facts)],
    },
    waitlisted: {
      subject: ({ event }) => `Warteliste: ${event}`,
      title: 'Sie stehen auf der Warteliste',
      lines: () => [
        'Im Moment ist kein Platz frei. Ihre Anmeldung steht auf der Warteliste, und wir melden uns, sobald ein Platz frei wird.',
        'Sie müssen nichts weiter tun.',
      ],
    },
    approval_pending: {
      subject: ({ event }) => `Eingegangen: Ihre Anmeldung für ${event}`,
      title: 'Ihre Anmeldung ist eingegangen',
      lines: () => ['Der Veranstalter prüft sie, und wir melden uns wieder bei Ihnen. Sie müssen nichts weiter tun.'],
    },
    approved: {
      subject: ({ event }) => `Angenommen: Ihre Anmeldung für ${event}`,
      title: 'Ihre Anmeldung wurde angenommen',
      lines: next,
    },
    declined: {
      subject: ({ event }) => `Ihre Anmeldung für ${event}`,
      title: 'Ihre Anmeldung konnte nicht angenommen werden',
      lines: () => ['Es tut uns leid: Der Veranstalter konnte Ihre Anmeldung nicht annehmen.'],
    },
    cancelled: {
      subject: ({ event }) => `Storniert: Ihre Anmeldung für ${event}`,
      title: 'Ihre Anmeldung wurde storniert',
      lines: () => ['Alle dazu ausgestellten Tickets sind nicht mehr gültig.'],
    },
    ticket_reissued: {
      subject: ({ event }) => `Ihr neues Ticket für ${event}`,
      title: 'Ihr neues Ticket',
      lines: (facts) => [
        'Ihr Ticket wurde ersetzt. Das frühere ist nicht mehr gültig: Bitte verwenden Sie nur noch das neue.',
        ...attachedLines(facts),
      ],
    },
    payment_due: {
      subject: ({ event }) => `Zahlung für ${event}`,
      title: 'Ihre Plätze sind reserviert',
      lines: pay,
    },
    promoted: {
      subject: ({ event }) => `Ein Platz ist frei geworden: ${event}`,
      title: 'Sie sind von der Warteliste nachgerückt',
      lines: (facts) => ['Gute Nachricht: Für Sie ist ein Platz frei geworden.', ...next(facts)],
    },
    registration_expired: {
      subject: ({ event }) => `Abgelaufen: Ihre Anmeldung für ${event}`,
      title: 'Ihre Anmeldung ist abgelaufen',
      lines: () => [
        'Ihre Zahlung ist nicht rechtzeitig eingegangen, daher wurden die Plätze wieder freigegeben.',
        'Sofern noch Plätze frei sind, können Sie sich gern erneut anmelden.',
      ],
    },
    attendee_ticket: {
      subject: ({ event, tickets }) => `${tickets > 1 ? 'Ihre Tickets' : 'Ihr Ticket'} für ${event}`,
      title: ({ tickets }) => (tickets > 1 ? 'Hier sind Ihre Tickets' : 'Hier ist Ihr Ticket'),
      lines: (facts) => ['Sie wurden angemeldet, und wir freuen uns auf Sie.', ...attachedLines(facts)],
    },
    attendee_cancelled: {
      subject: ({ event }) => `Storniert: Ihr Platz bei ${event}`,
      title: 'Ihr Platz wurde storniert',
      lines: () => [
        'Sie sind für diese Veranstaltung nicht mehr angemeldet. Falls Sie Ihr Ticket schon haben, gilt es nicht mehr für Sie.',
        'Wenn Sie dazu Fragen haben, wenden Sie sich bitte an den Veranstalter.',
      ],
    },
    place_received: {
      subject: ({ event }) => `Sie haben einen Platz: ${event}`,
      title: 'Sie haben einen Platz erhalten',
      lines: (facts) => ['Jemand hat seinen Platz an Sie weitergegeben, und wir freuen uns auf Sie.', ...soon(facts)],
    },
    place_handed_on: {
      subject: ({ event }) => `Weitergegeben: Ihr Platz bei ${event}`,
      title: 'Ihr Platz wurde weitergegeben',
      lines: () => [
        'Ihr Platz gehört jetzt jemand anderem. Falls Sie Ihr Ticket schon haben, gilt es nicht mehr.',
        'Wenn Sie dazu Fragen haben, wenden Sie sich bitte an den Veranstalter.',
      ],
    },
  },
  greeting: (name) => `Guten Tag ${name},`,
  hello: 'Guten Tag,',
  signOff: 'Mit freundlichen Grüßen',
  footer: (event) => `Sie erhalten diese E-Mail wegen Ihrer Anmeldung für ${event}.`,
  reason: 'Nachricht des Veranstalters',
  registration: 'Anmeldung',
  total: 'Gesamt',
  paid: 'Bezahlt',
  open: 'Zu zahlen',
  due: 'Zahlbar bis',
  people: (count) => (count === 1 ? 'Teilnehmer:in' : 'Teilnehmende'),
  tickets: (count) => (count === 1 ? 'Ticket' : 'Tickets'),
  qr: 'QR-Code',
  openTicket: 'PDF öffnen',
  manage: 'Meine Anmeldung',
  payNow: 'Jetzt zahlen',
  calendar: 'In den Kalender eintragen',
  howToPay: 'So zahlen Sie',
  more: (count) => `und ${count} weitere`,
};
