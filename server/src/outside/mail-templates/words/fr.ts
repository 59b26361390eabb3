import type { Facts, MailWords } from './mail-words.ts';

const attachedLines = ({ tickets, attached }: Facts) =>
  tickets === 0
    ? []
    : attached === 0
      ? [
          tickets === 1
            ? 'Vous trouverez votre billet en ligne, avec votre inscription. Merci de le présenter à l’entrée, imprimé ou sur votre téléphone.'
            : 'Vous trouverez vos billets en ligne, avec votre inscription. Merci de les présenter à l’entrée, imprimés ou sur votre téléphone.',
        ]
      : attached < tickets
        ? [
            `Les ${attached} premiers de vos ${tickets} billets sont joints au format PDF ; vous trouverez les autres en ligne, avec votre inscription.`,
          ]
        : tickets === 1
          ? ['Votre billet est joint au format PDF. Merci de le présenter à l’entrée, imprimé ou sur votre téléphone.']
          : [
              'Vos billets sont joints au format PDF. Merci de les présenter à l’entrée, imprimés ou sur votre téléphone.',
            ];

const pay = ({ open, due, keep, code }: Facts) =>
  open === null
    ? []
    : [
        due === null
          ? `Merci de régler ${open}.`
          : `Merci de régler ${open} avant le ${due}. Passé ce délai, les places seront remises à disposition.`,
        ...(keep === null
          ? []
          : [
              `Pour que les places restent réservées jusqu’au ${keep}, ouvrez la page ci-dessous et confirmez-y votre adresse e-mail.`,
            ]),
        `Indiquez ${code} avec votre paiement. Votre inscription sera confirmée dès sa réception.`,
      ];

function next(facts: Facts): string[] {
  if (facts.status === 'pending_payment') return pay(facts);
  if (facts.status === 'pending_approval') return ['L’organisateur l’examine et nous vous écrirons de nouveau.'];
  return ['Votre inscription est confirmée.', ...attachedLines(facts)];
}

const soon = (facts: Facts): string[] =>
  facts.status === 'confirmed' ? attachedLines(facts) : ['Votre billet suivra dès que tout sera confirmé.'];

export const fr: MailWords = {
  language: 'fr',
  colon: ' :',
  messages: {
    confirmation: {
      subject: ({ event }) => `Inscription confirmée : ${event}`,
      title: 'Votre inscription est confirmée',
      lines: (facts) => ['Nous nous réjouissons de vous accueillir.', ...attachedLines(facts)],
    },
    waitlisted: {
      subject: ({ event }) => `Liste d’attente : ${event}`,
      title: 'Vous êtes sur la liste d’attente',
      lines: () => [
        'Aucune place n’est libre pour le moment. Votre inscription est sur la liste d’attente et nous vous écrirons dès qu’une place se libère.',
        'Vous n’avez rien à faire.',
      ],
    },
    approval_pending: {
      subject: ({ event }) => `Inscription reçue : ${event}`,
      title: 'Nous avons bien reçu votre inscription',
      lines: () => ['L’organisateur l’examine et nous vous écrirons de nouveau. Vous n’avez rien à faire.'],
    },
    approved: {
      subject: ({ event }) => `Inscription acceptée : ${event}`,
      title: 'Votre inscription a été acceptée',
      lines: next,
    },
    declined: {
      subject: ({ event }) => `Votre inscription : ${event}`,
      title: 'Votre inscription n’a pas pu être acceptée',
      lines: () => ['Nous sommes désolés : l’organisateur n’a pas pu accepter votre inscription.'],
    },
    cancelled: {
      subject: ({ event }) => `Inscription annulée : ${event}`,
      title: 'Votre inscription a été annulée',
      lines: () => ['Les billets émis pour cette inscription ne sont plus valables.'],
    },
    ticket_reissued: {
      subject: ({ event }) => `Votre nouveau billet : ${event}`,
      title: 'Votre nouveau billet',
      lines: (facts) => [
        'Votre billet a été remplacé. L’ancien n’est plus valable : merci d’utiliser uniquement le nouveau.',
        ...attachedLines(facts),
      ],
    },
    payment_due: {
      subject: ({ event }) => `Paiement : ${event}`,
      title: 'Vos places sont réservées',
      lines: pay,
    },
    promoted: {
      subject: ({ event }) => `Une place s’est libérée : ${event}`,
      title: 'Vous avez quitté la liste d’attente',
      lines: (facts) => ['Bonne nouvelle : une place s’est libérée pour vous.', ...next(facts)],
    },
    registration_expired: {
      subject: ({ event }) => `Inscription expirée : ${event}`,
      title: 'Votre inscription a expiré',
      lines: () => [
        'Votre paiement n’est pas arrivé à temps et les places ont été remises à disposition.',
        'S’il reste des places, vous pouvez vous inscrire de nouveau.',
      ],
    },
    attendee_ticket: {
      subject: ({ event, tickets }) => `${tickets > 1 ? 'Vos billets' : 'Votre billet'} : ${event}`,
      title: ({ tickets }) => (tickets > 1 ? 'Voici vos billets' : 'Voici votre billet'),
      lines: (facts) => [
        'Vous avez été inscrit(e) et nous nous réjouissons de vous accueillir.',
        ...attachedLines(facts),
      ],
    },
    attendee_cancelled: {
      subject: ({ event }) => `Place annulée : ${event}`,
      title: 'Votre place a été annulée',
      lines: () => [
        'Vous n’êtes plus inscrit(e) à cet événement. Si vous avez déjà votre billet, il ne vous donne plus accès.',
        'Pour toute question à ce sujet, merci de vous adresser à l’organisateur.',
      ],
    },
    place_received: {
      subject: ({ event }) => `Vous avez une place : ${event}`,
      title: 'Une place vous a été cédée',
      lines: (facts) => ['Quelqu’un vous a cédé sa place et nous nous réjouissons de vous accueillir.', ...soon(facts)],
    },
    place_handed_on: {
      subject: ({ event }) => `Place cédée : ${event}`,
      title: 'Votre place a été cédée',
      lines: () => [
        'Votre place appartient désormais à quelqu’un d’autre. Si vous avez déjà votre billet, il ne donne plus accès.',
        'Pour toute question à ce sujet, merci de vous adresser à l’organisateur.',
      ],
    },
  },
  greeting: (name) => `Bonjour ${name},`,
  hello: 'Bonjour,',
  signOff: 'Cordialement',
  footer: (event) => `Vous recevez ce message en raison de votre inscription : ${event}.`,
  reason: 'Message de l’organisateur',
  registration: 'Inscription',
  total: 'Total',
  paid: 'Payé',
  open: 'À régler',
  due: 'À régler avant le',
  people: (count) => (count === 1 ? 'Participant(e)' : 'Participants'),
  tickets: (count) => (count === 1 ? 'Billet' : 'Billets'),
  qr: 'Code QR',
  openTicket: 'Ouvrir le PDF',
  manage: 'Mon inscription',
  payNow: 'Payer maintenant',
  calendar: 'Ajouter à l’agenda',
  howToPay: 'Comment payer',
  more: (count) => `et ${count} de plus`,
};
