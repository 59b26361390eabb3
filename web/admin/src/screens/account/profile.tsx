import type { Account } from '@turnout/client';
import {
  applyTheme,
  currentTheme,
  Form,
  Radios,
  Section,
  Select,
  Submit,
  TextField,
  THEMES,
  toast,
  useWords,
} from '@turnout/ui';
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '@turnout/words';
import { useState } from 'react';
import { call, useRefresh } from '../../frame/api.ts';
import { speak } from '../../frame/words.ts';

export function Profile({ account }: { account: Account }) {
  const t = useWords('account');
  const refresh = useRefresh();
  return (
    <Section title={t('profile')}>
      <Form
        values={{ name: account.name, language: account.language as Language | '' }}
        submit={async ({ name, language }) => {
          await call('changeAccount', { body: { name: name.trim(), language: language || account.language } });
        }}
        done={async (_, { language }) => {
          if (language !== '') await speak(language);
          toast(t('profileSaved'), 'good');
          await refresh('getAccount', 'getMembership');
        }}
      >
        {({ field }) => (
          <>
            <div className="columns">
              <TextField label={t('name')} autoComplete="name" maxLength={200} {...field('name')} />
              <Select
                label={t('language')}
                hint={t('languageHint')}
                options={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
                {...field('language')}
              />
            </div>
            <div className="buttons">
              <Submit />
            </div>
          </>
        )}
      </Form>
    </Section>
  );
}

/** Acts at once, and only here: another device may have another light. */
export function Appearance() {
  const t = useWords('account');
  const [theme, setTheme] = useState(currentTheme);
  return (
    <Section title={t('appearance')} lead={t('appearanceLead')}>
      <div className="themes">
        <Radios
          label={<span className="hidden">{t('appearance')}</span>}
          value={theme}
          onChange={(one) => {
            applyTheme(one);
            setTheme(one);
          }}
          options={THEMES.map((value) => ({ value, label: t(`theme.${value}`) }))}
        />
      </div>
    </Section>
  );
}
