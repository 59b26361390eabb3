import { readdirSync, readFileSync } from 'node:fs';
import type { Message } from './message.ts';

/** What stands in braces, in the order of the alphabet. A form for one may leave the number out. */
export function placeholdersOf(message: Message): string[] {
  const text = typeof message === 'string' ? message : message.other;
  return [
    ...new Set([...text.matchAll(/\{([^}]*)\}/g)].map((match) => match[1]!).filter((name) => !name.startsWith('@'))),
  ].sort();
}

interface Uses {
  uses: (area: string, key: string) => boolean;
}

/**
 * Which keys the apps use: every text in quotes in a file that names the area, and every beginning of a template (`role.${…}`), which
 * uses all keys that begin so.
 */
export function usedKeys(root: URL): Uses {
  const sources = ['web/admin/src/', 'packages/ui/src/'].flatMap((folder) => sourcesBelow(new URL(folder, root)));
  // The scanner has one catalogue, so its files do not name it.
  for (const text of sourcesBelow(new URL('web/scan/src/', root))) sources.push(`words.in('scanner')\n${text}`);
  // The registration pages have two; a page gets the words of the first with its site.
  for (const text of sourcesBelow(new URL('server/src/areas/pages/', root))) sources.push(`words.in('pages')\n${text}`);
  const used = new Map<string, { keys: Set<string>; beginnings: Set<string> }>();
  for (const text of sources) {
    for (const match of text.matchAll(/\b(?:useWords\(|words\.in\(|words\.find\(|Translate<)\s*'([\w-]+)'/g)) {
      const of = used.get(match[1]!) ?? { keys: new Set(), beginnings: new Set() };
      used.set(match[1]!, of);
      for (const key of text.matchAll(/'([\w.-]+)'/g)) of.keys.add(key[1]!);
      for (const key of text.matchAll(/`([\w.-]+)\$\{/g)) of.beginnings.add(key[1]!);
    }
  }
  return {
    uses: (area, key) => {
      const of = used.get(area);
      return (
        of !== undefined && (of.keys.has(key) || [...of.beginnings].some((beginning) => key.startsWith(beginning)))
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
