import type { AccountLanguage } from '@turnout/contract';
import { letterTexts, ownerTexts } from '@turnout/words/mails';
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

/** Tells the owners, each in their own language, and the payer once the money is on its way back to them. */
export async function mailAboutDuplicate(
  { tx, org, world: { event } }: Book,
  registration: RegistrationState,
  { id, amount_minor, currency }: PaymentState,
  fate: DuplicateFate,
): Promise<void> {
  const write = async (
    object: Id,
    to: { email: string; name: string | null },
    language: AccountLanguage,
    wording: (values: Values) => { subject: string; lines: string[] },
  ) => {
    const amount = formatMoney(amount_minor, currency, { language, timezone: event.timezone });
    const { subject, lines } = wording({ amount, event: cleanLine(event.name), code: registration.code });
    await queueMail(tx, org, {
      kind: `duplicate_payment_${fate}`,
      to: to.email,
      toName: to.name,
      subject,
      text: `${lines.join('\n\n')}\n`,
      event: event.id,
      object,
    });
  };
  for (const owner of await membersToTell(tx, org, { kind: 'payment', group: registration.group_id }))
    await write(id, owner, owner.language, (values) => {
      const { t } = ownerTexts(owner.language);
      return {
        subject: t(`duplicate_${fate}.subject`, values),
        lines: [t(`duplicate_${fate}.line1`, values)],
      };
    });
  const { email, language } = registration.contact;
  if (email === null || fate !== 'refunded') return;
  const payer = letterTexts(language ?? event.language);
  // It is found by the registration when the registrant is erased.
  await write(registration.id, { email, name: null }, payer.language, (values) => ({
    subject: payer.t('paid_twice.subject', values),
    lines: [payer.t('paid_twice.line1', values), payer.t('paid_twice.line2')],
  }));
}
