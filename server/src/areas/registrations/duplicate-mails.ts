import type { AccountLanguage } from '@turnout/contract';
import { chooseLanguage } from '@turnout/words';
import type { Id } from '../../common/ids.ts';
import { cleanLine } from '../../outside/clean.ts';
import { formatMoney } from '../../outside/money.ts';
import { queueMail } from '../../road/for-areas/mail.ts';
import { membersToTell } from '../groups/index.ts';
import type { Book } from './book.ts';
import type { PaymentState, RegistrationState } from './state.ts';

/** What became of a second payment for the same. */
export type DuplicateFate = 'refunded' | 'stuck';

interface Values {
  amount: string;
  event: string;
  code: string;
}
type Text = (values: Values) => readonly [subject: string, ...paragraphs: string[]];
type Texts = Readonly<Record<AccountLanguage, Text>>;

const PAYER: Texts = {
  en: ({ amount, event, code }) => [
    `Paid twice: ${amount} are on their way back to you (${event})`,
    `Two payments arrived for the registration ${code} (${event}). One of them was enough, so the second one, ${amount}, was sent back. Depending on your bank, it takes a few days to arrive.`,
    'Your registration stays as it is, and you need not do anything.',
  ],
  de: ({ amount, event, code }) => [
    `Doppelt bezahlt: ${amount} sind auf dem Weg zurück zu Ihnen (${event})`,
    `Für die Anmeldung ${code} (${event}) sind zwei Zahlungen eingegangen. Eine davon genügt, deshalb wurde die zweite über ${amount} zurückgeschickt. Je nach Bank dauert es einige Tage, bis sie ankommt.`,
    'An Ihrer Anmeldung ändert sich nichts, und Sie müssen nichts tun.',
  ],
  fr: ({ amount, event, code }) => [
    `Payé deux fois : ${amount} vous sont remboursés (${event})`,
    `Deux paiements sont arrivés pour l’inscription ${code} (${event}). Un seul suffit : le second, de ${amount}, vous a été remboursé. Selon votre banque, il arrive en quelques jours.`,
    'Votre inscription reste inchangée, et vous n’avez rien à faire.',
  ],
  es: ({ amount, event, code }) => [
    `Pagado dos veces: le devolvemos ${amount} (${event})`,
    `Han llegado dos pagos para la inscripción ${code} (${event}). Uno era suficiente, así que el segundo, de ${amount}, se ha devuelto. Según su banco, tarda unos días en llegar.`,
    'Su inscripción no cambia, y no tiene que hacer nada.',
  ],
};

const ORGANIZER: Readonly<Record<DuplicateFate, Texts>> = {
  refunded: {
    en: ({ amount, event, code }) => [
      `${event}: a second payment of ${amount} was refunded`,
      `The registration ${code} was paid online twice. The second payment, ${amount}, was refunded at the payment provider, and the payer was told. The registration stays as it is.`,
    ],
    de: ({ amount, event, code }) => [
      `${event}: Eine zweite Zahlung über ${amount} wurde erstattet`,
      `Die Anmeldung ${code} wurde zweimal online bezahlt. Die zweite Zahlung über ${amount} wurde beim Zahlungsdienst erstattet, und die zahlende Person wurde benachrichtigt. Die Anmeldung bleibt, wie sie ist.`,
    ],
    fr: ({ amount, event, code }) => [
      `${event} : un second paiement de ${amount} a été remboursé`,
      `L’inscription ${code} a été payée deux fois en ligne. Le second paiement, de ${amount}, a été remboursé chez le prestataire de paiement, et la personne qui a payé en est informée. L’inscription reste inchangée.`,
    ],
    es: ({ amount, event, code }) => [
      `${event}: se ha devuelto un segundo pago de ${amount}`,
      `La inscripción ${code} se pagó dos veces en línea. El segundo pago, de ${amount}, se ha devuelto en el proveedor de pagos y se ha avisado a quien pagó. La inscripción no cambia.`,
    ],
  },
  stuck: {
    en: ({ amount, event, code }) => [
      `${event}: a second payment of ${amount} could not be refunded`,
      `The registration ${code} was paid online twice. The payment provider did not accept the refund of the second payment, ${amount}. Please refund it in the app, under Payments, or at the payment provider.`,
    ],
    de: ({ amount, event, code }) => [
      `${event}: Eine zweite Zahlung über ${amount} konnte nicht erstattet werden`,
      `Die Anmeldung ${code} wurde zweimal online bezahlt. Der Zahlungsdienst hat die Erstattung der zweiten Zahlung über ${amount} nicht angenommen. Bitte erstatten Sie sie in der App unter „Zahlungen“ oder beim Zahlungsdienst.`,
    ],
    fr: ({ amount, event, code }) => [
      `${event} : un second paiement de ${amount} n’a pas pu être remboursé`,
      `L’inscription ${code} a été payée deux fois en ligne. Le prestataire de paiement n’a pas accepté le remboursement du second paiement, de ${amount}. Remboursez-le dans l’application, sous « Paiements », ou chez le prestataire.`,
    ],
    es: ({ amount, event, code }) => [
      `${event}: no se ha podido devolver un segundo pago de ${amount}`,
      `La inscripción ${code} se pagó dos veces en línea. El proveedor de pagos no aceptó la devolución del segundo pago, de ${amount}. Devuélvalo en la aplicación, en «Pagos», o en el proveedor.`,
    ],
  },
};

/** Tells the owners, each in their own language, and the payer once the money is on its way back to them. */
export async function mailAboutDuplicate(
  { tx, org, world: { event } }: Book,
  registration: RegistrationState,
  { id, amount_minor, currency }: PaymentState,
  fate: DuplicateFate,
): Promise<void> {
  const write = async (
    texts: Texts,
    object: Id,
    to: { email: string; name: string | null; language: AccountLanguage },
  ) => {
    const amount = formatMoney(amount_minor, currency, { language: to.language, timezone: event.timezone });
    const values = { amount, event: cleanLine(event.name), code: registration.code };
    const [subject, ...paragraphs] = texts[to.language](values);
    await queueMail(tx, org, {
      kind: `duplicate_payment_${fate}`,
      to: to.email,
      toName: to.name,
      subject,
      text: `${paragraphs.join('\n\n')}\n`,
      event: event.id,
      object,
    });
  };
  for (const owner of await membersToTell(tx, org, { kind: 'payment', group: registration.group_id }))
    await write(ORGANIZER[fate], id, owner);
  const { email, language } = registration.contact;
  if (email === null || fate !== 'refunded') return;
  // It is found by the registration when the registrant is erased.
  await write(PAYER, registration.id, { email, name: null, language: chooseLanguage([language ?? event.language]) });
}
