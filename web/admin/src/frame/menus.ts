import { Problem } from '@turnout/client';
import {
  applyTheme,
  currentTheme,
  type MenuGroup,
  THEMES,
  type Theme,
  toast,
  useAllWords,
  useWords,
} from '@turnout/ui';
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '@turnout/words';
import { useEffect, useState } from 'react';
import { call, queries, queryOf, useCall } from './api.ts';
import type { Organization } from './organization.tsx';
import { speak, speakAs } from './words.ts';

/** The organizations of this account; each is at its own address, so two can be open in two tabs. */
export function useOrganizationMenu(present: Organization | null): MenuGroup[] {
  const t = useWords('common');
  const { data: account } = useCall('getAccount', {});
  const items = (account?.organizations ?? []).map((one) => ({
    id: one.id,
    label: one.name,
    href: `/app/${one.code}`,
    chosen: one.id === present?.organization.id,
  }));
  return [{ title: t('organizations'), items }];
}

/** Speaks the language of the account, also if it was chosen elsewhere or somebody came in by single sign-on. */
export function useOwnLanguage(): void {
  const { data: account } = useCall('getAccount', {});
  const [language, sandbox] = [account?.language, account?.sandbox];
  useEffect(() => {
    if (language !== undefined && sandbox !== undefined) void speakAs({ language, sandbox });
  }, [language, sandbox]);
}

/** Account, appearance, language, signing out. */
export function useAccountMenu(): { name: string; groups: MenuGroup[] } {
  const t = useWords('common');
  const words = useAllWords();
  const { data: account } = useCall('getAccount', {});
  const [theme, setTheme] = useState<Theme>(currentTheme);
  const choose = async (language: Language) => {
    await speak(language);
    if (account === undefined || account.sandbox || account.language === language) return;
    try {
      const changed = await call('changeAccount', { body: { language } });
      queries.setQueryData(queryOf('getAccount', {}).queryKey, changed);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      toast(words.in('common')('languageNotSaved'), 'warn');
    }
  };
  const names = { system: t('appearanceSystem'), light: t('appearanceLight'), dark: t('appearanceDark') };
  const groups: MenuGroup[] = [
    {
      ...(account && { title: account.email }),
      items: [{ id: 'account', label: t('navAccount'), href: '/app/-/account' }],
    },
    {
      title: t('appearance'),
      items: THEMES.map((one) => ({
        id: `theme-${one}`,
        label: names[one],
        chosen: one === theme,
        onAction: () => {
          applyTheme(one);
          setTheme(one);
        },
      })),
    },
    {
      title: t('language'),
      items: LANGUAGES.map((one) => ({
        id: `language-${one}`,
        label: LANGUAGE_NAMES[one],
        chosen: one === words.language,
        onAction: () => void choose(one),
      })),
    },
    { items: [{ id: 'sign-out', label: t('signOut'), onAction: () => void signOut() }] },
  ];
  return { name: account?.name ?? '…', groups };
}

/** Ends the session and forgets everything that was shown. */
async function signOut(): Promise<void> {
  await call('signOut', {});
  queries.clear();
  // Browsers keep a page that was left as it was, and show it again when somebody goes back. It must be empty, and be loaded anew.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
  document.body.style.display = 'none';
  location.assign('/app/-/sign-in');
}
