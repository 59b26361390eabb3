import type { Facts, MailWords } from './mail-words.ts';

const attachedLines = ({ tickets, attached }: Facts) =>
  tickets === 0
    ? []
    : attached === 0
      ? [
          tickets === 1
            ? 'Encontrará su entrada en línea, con su inscripción. Téngala a mano al llegar, impresa o en el móvil.'
            : 'Encontrará sus entradas en línea, con su inscripción. Téngalas a mano al llegar, impresas o en el móvil.',
        ]
      : attached < tickets
        ? [
            `Las primeras ${attached} de sus ${tickets} entradas van adjuntas en PDF; encontrará las demás en línea, con su inscripción.`,
          ]
        : tickets === 1
          ? ['Su entrada va adjunta en PDF. Téngala a mano al llegar, impresa o en el móvil.']
          : ['Sus entradas van adjuntas en PDF. Téngalas a mano al llegar, impresas o en el móvil.'];

const pay = ({ open, due, keep, code }: Facts) =>
  open === null
    ? []
    : [
        due === null
          ? `Por favor, pague ${open}.`
          : `Por favor, pague ${open} antes del ${due}. Pasado ese plazo, las plazas quedarán libres.`,
        ...(keep === null
          ? []
          : [
              `Para que las plazas sigan reservadas hasta el ${keep}, abra la página de abajo y confirme allí su dirección de correo.`,
            ]),
        `Indique ${code} con su pago. En cuanto llegue, su inscripción quedará confirmada.`,
      ];

function next(facts: Facts): string[] {
  if (facts.status === 'pending_payment') return pay(facts);
  if (facts.status === 'pending_approval') return ['La organización la está revisando y le escribiremos de nuevo.'];
  return ['Su inscripción está confirmada.', ...attachedLines(facts)];
}

const soon = (facts: Facts): string[] =>
  facts.status === 'confirmed' ? attachedLines(facts) : ['Recibirá su entrada en cuanto todo esté confirmado.'];

export const es: MailWords = {
  language: 'es',
  colon: ':',
  messages: {
    confirmation: {
      subject: ({ event }) => `Inscripción confirmada: ${event}`,
      title: 'Su inscripción está confirmada',
      lines: (facts) => ['Le esperamos con mucho gusto.', ...attachedLines(facts)],
    },
    waitlisted: {
      subject: ({ event }) => `Lista de espera: ${event}`,
      title: 'Está en la lista de espera',
      lines: () => [
        'En este momento no hay plazas libres. Su inscripción está en la lista de espera y le escribiremos en cuanto quede una plaza libre.',
        'No tiene que hacer nada más.',
      ],
    },
    approval_pending: {
      subject: ({ event }) => `Inscripción recibida: ${event}`,
      title: 'Hemos recibido su inscripción',
      lines: () => ['La organización la revisará y le escribiremos de nuevo. No tiene que hacer nada más.'],
    },
    approved: {
      subject: ({ event }) => `Inscripción aceptada: ${event}`,
      title: 'Su inscripción ha sido aceptada',
      lines: next,
    },
    declined: {
      subject: ({ event }) => `Su inscripción: ${event}`,
      title: 'No se ha podido aceptar su inscripción',
      lines: () => ['Lo sentimos: la organización no ha podido aceptar su inscripción.'],
    },
    cancelled: {
      subject: ({ event }) => `Inscripción cancelada: ${event}`,
      title: 'Su inscripción ha sido cancelada',
      lines: () => ['Las entradas emitidas para ella ya no son válidas.'],
    },
    ticket_reissued: {
      subject: ({ event }) => `Su nueva entrada: ${event}`,
      title: 'Su nueva entrada',
      lines: (facts) => [
        'Su entrada ha sido sustituida. La anterior ya no es válida: utilice solo la nueva.',
        ...attachedLines(facts),
      ],
    },
    payment_due: {
      subject: ({ event }) => `Pago: ${event}`,
      title: 'Sus plazas están reservadas',
      lines: pay,
    },
    promoted: {
      subject: ({ event }) => `Ha quedado una plaza libre: ${event}`,
      title: 'Ha salido de la lista de espera',
      lines: (facts) => ['Buenas noticias: ha quedado una plaza libre para usted.', ...next(facts)],
    },
    registration_expired: {
      subject: ({ event }) => `Inscripción caducada: ${event}`,
      title: 'Su inscripción ha caducado',
      lines: () => [
        'Su pago no ha llegado a tiempo y las plazas han quedado libres.',
        'Si quedan plazas, puede inscribirse de nuevo.',
      ],
    },
    attendee_ticket: {
      subject: ({ event, tickets }) => `${tickets > 1 ? 'Sus entradas' : 'Su entrada'}: ${event}`,
      title: ({ tickets }) => (tickets > 1 ? 'Aquí tiene sus entradas' : 'Aquí tiene su entrada'),
      lines: (facts) => ['Se ha realizado su inscripción y le esperamos con mucho gusto.', ...attachedLines(facts)],
    },
    attendee_cancelled: {
      subject: ({ event }) => `Plaza cancelada: ${event}`,
      title: 'Su plaza ha sido cancelada',
      lines: () => [
        'Su inscripción en este evento ya no está vigente. Si ya tiene su entrada, esta ha dejado de darle acceso.',
        'Si tiene alguna pregunta al respecto, póngase en contacto con la organización.',
      ],
    },
    place_received: {
      subject: ({ event }) => `Tiene una plaza: ${event}`,
      title: 'Le han cedido una plaza',
      lines: (facts) => ['Alguien le ha cedido su plaza y le esperamos con mucho gusto.', ...soon(facts)],
    },
    place_handed_on: {
      subject: ({ event }) => `Plaza cedida: ${event}`,
      title: 'Su plaza ha sido cedida',
      lines: () => [
        'Su plaza pertenece ahora a otra persona. Si ya tiene su entrada, esta ha dejado de dar acceso.',
        'Si tiene alguna pregunta al respecto, póngase en contacto con la organización.',
      ],
    },
  },
  greeting: (name) => `Hola, ${name}:`,
  hello: 'Hola:',
  signOff: 'Un cordial saludo',
  footer: (event) => `Recibe este mensaje por su inscripción: ${event}.`,
  reason: 'Mensaje de la organización',
  registration: 'Inscripción',
  total: 'Total',
  paid: 'Pagado',
  open: 'Por pagar',
  due: 'Pagar antes del',
  people: (count) => (count === 1 ? 'Asistente' : 'Asistentes'),
  tickets: (count) => (count === 1 ? 'Entrada' : 'Entradas'),
  qr: 'Código QR',
  openTicket: 'Abrir PDF',
  manage: 'Mi inscripción',
  payNow: 'Pagar ahora',
  calendar: 'Añadir al calendario',
  howToPay: 'Cómo pagar',
  more: (count) => `y ${count} más`,
};
