import type { Area, Formats, Translate, Words } from '@turnout/words';
import { createContext, type ReactNode, useContext, useMemo, useSyncExternalStore } from 'react';

const Context = createContext<Words | null>(null);

/** Gives the page its words. Everything below is drawn again when the language or the organization's nouns change. */
export function WordsProvider({ words, children }: { words: Words; children: ReactNode }) {
  return <Context value={words}>{children}</Context>;
}

export function useAllWords(): Words {
  const words = useContext(Context);
  if (words === null) throw new Error('There is no WordsProvider around this component.');
  useSyncExternalStore(
    (listener) => words.listen(listener),
    () => words.version,
  );
  return words;
}

/** The texts of an area, which the route of the screen has loaded: `const t = useWords('team'); t('title')`. */
export function useWords<A extends Area>(area: A): Translate<A> {
  const words = useAllWords();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for language and nouns
  return useMemo(() => words.in(area), [words, words.version, area]);
}

/** Dates, numbers and money in the present language. */
export function useFormats(): Formats {
  return useAllWords().formats;
}

/** Puts elements into a text: `<link>…</link>` in the text is drawn by the function `link`. */
export function rich(text: string, draw: Readonly<Record<string, (inner: string) => ReactNode>>): ReactNode[] {
  const parts = text.split(/<(\w+)>(.*?)<\/\1>/);
  return parts.flatMap((part, i): ReactNode[] => {
    if (i % 3 === 0) return [part];
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their places
    if (i % 3 === 1) return [<span key={`${part}${i}`}>{draw[part]?.(parts[i + 1] ?? '') ?? parts[i + 1]}</span>];
    return [];
  });
}
