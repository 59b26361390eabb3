import { fileURLToPath } from 'node:url';
import { type BuiltApp, type BuiltFile, readBuiltApp } from './built-app.ts';

/** Where the script and the style of the registration pages are built. */
export const PAGE_BUILDS = fileURLToPath(new URL('../../../web/register/dist', import.meta.url));

/** What the registration pages take from their build. */
export interface BuiltPages {
  style: string;
  /** Names of files. */
  script: string | null;
  embed: string | null;
  file: (name: string) => BuiltFile | undefined;
}

const NOT_BUILT: BuiltPages = { style: '', script: null, embed: null, file: () => undefined };

/** Reads the build once, when the first page is asked for, and again as long as there is none. */
export function builtPages(builds: string = PAGE_BUILDS): () => Promise<BuiltPages> {
  let ready: BuiltPages | undefined;
  return async () => {
    if (ready !== undefined) return ready;
    const built = await readBuiltApp(builds);
    if (built === null) return NOT_BUILT;
    ready = pagesIn(built);
    return ready;
  };
}

function pagesIn({ assets }: BuiltApp): BuiltPages {
  const named = (pattern: RegExp): string | null => [...assets.keys()].find((name) => pattern.test(name)) ?? null;
  const style = named(/^page-.*\.css$/);
  return {
    style: style === null ? '' : assets.get(style)!.bytes.toString(),
    script: named(/^page-.*\.js$/),
    embed: named(/^embed-.*\.js$/),
    file: (name) => assets.get(name),
  };
}
