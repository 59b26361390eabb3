import { readdirSync, readFileSync } from 'node:fs';

interface Uses {
  uses: (area: string, key: string) => boolean;
}

const WRITERS: Readonly<Record<string, RegExp>> = {
  'server/accounts': /\baccountTexts\b/,
  'server/letters': /\b(letterTexts|LetterWords)\b/,
  'server/news': /\bnewsTexts\b/,
  'server/owners': /\bownerTexts\b/,
  'server/tickets': /\b(ticketTexts|TicketWords)\b/,
};

/**
 * Which keys the apps and the server use: every text in quotes in a file that names the area, and every beginning of a template (`role.${…}`), which
 * uses all keys that begin so. A template that only ends with a text (`${…}.subject`) uses all that end so.
 */
export function usedKeys(root: URL): Uses {
  const sources = ['web/admin/src/', 'packages/ui/src/'].flatMap((folder) => sourcesBelow(new URL(folder, root)));
  // The scanner has the same texts everywhere, so its files do not name them.
  for (const text of sourcesBelow(new URL('web/scan/src/', root)))
    sources.push(`words.in('scanner')\nwords.in('results')\n${text}`);
  sources.push(readFileSync(new URL('packages/words/src/point-sentence.ts', root), 'utf8'));
  // The registration pages have two; a page gets the words of the first with its site.
  for (const text of sourcesBelow(new URL('server/src/areas/pages/', root))) sources.push(`words.in('pages')\n${text}`);
  // The server names its catalogues by the functions that write from them.
  for (const text of sourcesBelow(new URL('server/src/', root))) {
    const named = Object.entries(WRITERS).filter(([, writer]) => writer.test(text));
    sources.push(`${named.map(([area]) => `words.in('${area}')`).join('\n')}\n${text}`);
  }
  const used = new Map<string, { keys: Set<string>; beginnings: Set<string>; endings: Set<string> }>();
  for (const text of sources) {
    for (const match of text.matchAll(/\b(?:useWords\(|words\.in\(|words\.find\(|Translate<)\s*'([\w/-]+)'/g)) {
      const of = used.get(match[1]!) ?? { keys: new Set(), beginnings: new Set(), endings: new Set() };
      used.set(match[1]!, of);
      for (const key of text.matchAll(/'([\w.-]+)'/g)) of.keys.add(key[1]!);
      for (const key of text.matchAll(/`([\w.-]+)\$\{/g)) of.beginnings.add(key[1]!);
      for (const key of text.matchAll(/`\$\{\w+\}(\.[\w.-]+)`/g)) of.endings.add(key[1]!);
    }
  }
  return {
    uses: (area, key) => {
      const of = used.get(area);
      return (
        of !== undefined &&
        (of.keys.has(key) ||
          [...of.beginnings].some((beginning) => key.startsWith(beginning)) ||
          [...of.endings].some((ending) => key.endsWith(ending)))
      );
    },
  };
}

function sourcesBelow(folder: URL): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return sourcesBelow(new URL(`${entry.name}/`, folder));
    return /\.tsx?$/.test(entry.name) && !/\.test\./.test(entry.name)
      ? [readFileSync(new URL(entry.name, folder), 'utf8')]
      : [];
  });
}
