import type { AccountLanguage } from '@turnout/contract';
import { accountTexts } from '@turnout/words/mails';

export type AccountMailKind = 'sign_in' | 'sign_up' | 'email' | 'email_changed';

interface Words {
  subject: string;
  title: string;
  paragraphs: string[];
  button: string | null;
  footer: string;
}

/** `to`: the address of the mail. `email`: another one that the mail speaks of. */
export function accountWords(
  kind: AccountMailKind,
  language: AccountLanguage,
  { to, email }: { to: string; email: string },
): Words {
  const { t } = accountTexts(language);
  const around = { subject: t(`${kind}.subject`), title: t(`${kind}.title`), footer: t(`${kind}.footer`) };
  switch (kind) {
    case 'sign_in':
      return {
        ...around,
        paragraphs: [t('sign_in.line1', { to }), t('sign_in.line2'), t('sign_in.line3')],
        button: t('sign_in.button'),
      };
    case 'sign_up':
      return { ...around, paragraphs: [t('sign_up.line1'), t('sign_up.line2')], button: t('sign_up.button') };
    case 'email':
      return {
        ...around,
        paragraphs: [t('email.line1', { to }), t('email.line2'), t('email.line3')],
        button: t('email.button'),
      };
    case 'email_changed':
      return {
        ...around,
        paragraphs: [t('email_changed.line1', { email }), t('email_changed.line2')],
        button: null,
      };
  }
}
