import type { Area, Formats, Translate, Words } from '@turnout/words';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useSyncExternalStore } from 'react';

/** A new object with every change of the words, so that whoever uses them is drawn again. */
const Context = createContext<{ words: Words } | null>(null);

/** Gives the page its words. Everything below is drawn again when the language or the organization's nouns change. */
export function WordsProvider({ words, children }: { words: Words; children: ReactNode }) {
  // It listens once for all below: hundreds of cells use words, and each would otherwise listen by itself.
  const listen = useCallback((listener: () => void) => words.listen(listener), [words]);
  const version = useSyncExternalStore(listen, () => words.version);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for language and nouns
  const value = useMemo(() => ({ words }), [words, version]);
  return <Context value={value}>{children}</Context>;
}

function usePresent(): { words: Words } {
  const present = useContext(Context);
  if (present === null) throw new Error('There is no WordsProvider around this component.');
  return present;
}

export const useAllWords = (): Words => usePresent().words;

/** The texts of an area, which the route of the screen has loaded: `const t = useWords('team'); t('title')`. */
export function useWords<A extends Area>(area: A): Translate<A> {
  const present = usePresent();
  return useMemo(() => present.words.in(area), [present, area]);
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
