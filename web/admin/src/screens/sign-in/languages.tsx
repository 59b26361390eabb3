import { useAllWords, useWords } from '@turnout/ui';
import { LANGUAGE_NAMES, LANGUAGES } from '@turnout/words';
import { speak } from '../../frame/words.ts';

/** For those who are not signed in yet: the languages, each called by itself. */
export function Languages() {
  const t = useWords('common');
  const { language } = useAllWords();
  return (
    <ul className="languages" aria-label={t('language')}>
      {LANGUAGES.map((one) => (
        <li key={one}>
          <button type="button" lang={one} aria-pressed={one === language} onClick={() => void speak(one)}>
            {LANGUAGE_NAMES[one]}
          </button>
        </li>
      ))}
    </ul>
  );
}
