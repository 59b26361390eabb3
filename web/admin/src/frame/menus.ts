import { applyTheme, currentTheme, type MenuGroup, THEMES, type Theme, useAllWords, useWords } from '@turnout/ui';
import { LANGUAGE_NAMES, LANGUAGES } from '@turnout/words';
import { useState } from 'react';
import { call, queries, useCall } from './api.ts';
import type { Organization } from './organization.tsx';
import { speak } from './words.ts';

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

/** Account, appearance, language, signing out. */
export function useAccountMenu(): { name: string; groups: MenuGroup[] } {
  const t = useWords('common');
  const words = useAllWords();
  const { data: account } = useCall('getAccount', {});
  const [theme, setTheme] = useState<Theme>(currentTheme);
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
        onAction: () => void speak(one),
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
  location.assign('/app/-/sign-in');
}
