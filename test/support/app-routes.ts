import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './running.ts';

/** A screen of the organizer's app, as the files of routes declare it. */
export interface AppRoute {
  /** Its address below /app, with `$name` for what differs: `/$org/developers/webhooks/$webhook`. */
  address: string;
  /** Its name in the manifest of the build, and those of the frames around it. */
  file: string;
  frames: string[];
  /** The catalogues that are loaded with it. */
  areas: string[];
}

const FOLDER = join(ROOT, 'web', 'admin', 'src', 'routes');
const ROUTE =
  /getParentRoute: \(\) => (\w+),\s+path: '([^']*)',(?:\s+validateSearch: (?:[^;]*?),)?\s+\.\.\.screen\(\s*\[([^\]]*)\],\s+\(\) => import\('\.\.\/(screens\/[^']+)'\)/g;

/** What stands around a screen, by the name of the route above it (web/admin/src/routes/base.ts). */
const AROUND: Readonly<Record<string, { at: string; frames: string[]; areas?: string[] }>> = {
  root: { at: '/', frames: [] },
  account: { at: '/', frames: ['account'] },
  organization: { at: '/$org/', frames: ['organization'] },
  event: {
    at: '/$org/events/$event/',
    frames: ['organization', 'event'],
    areas: ['parts', 'person', 'states', 'results'],
  },
};

/** Every screen that has an address. They are read from the sources, so a new one is measured without being added to a list. */
export function appRoutes(): AppRoute[] {
  const texts = readdirSync(FOLDER).map((name) => readFileSync(join(FOLDER, name), 'utf8'));
  const found = texts.flatMap((text) =>
    [...text.matchAll(ROUTE)].map(([, parent, path, areas, file]) => ({
      address: `${AROUND[parent!]!.at}${path}`.replace(/\/+$/, ''),
      file: `src/${file}`,
      frames: AROUND[parent!]!.frames.map((frame) => `src/frame/${frame}-frame.tsx`),
      areas: [...areas!.matchAll(/'([^']+)'/g)].map(([, area]) => area!).concat(AROUND[parent!]!.areas ?? []),
    })),
  );
  const declared = texts.join('\n').split("import('../screens/").length - 1;
  if (found.length !== declared)
    throw new Error(`${declared} screens have routes, but ${found.length} were understood.`);
  return found;
}

/**
 * The file of the screen at an address, below `screens/`. Addresses of an organization begin there, those of an event in `event/`. A
 * parameter at the end gives the file its name; others are left out: `/$org/events/$event/people/$attendee` is `event/people/attendee`.
 */
export function screenFileOf(address: string): string {
  const [, first, ...below] = address.split('/');
  const isInEvent = first === '$org' && below[0] === 'events' && below[1] === '$event';
  const words = isInEvent ? below.slice(2) : below;
  const name = words.pop()?.replace(/^\$/, '') ?? (isInEvent ? 'overview' : 'home');
  const folders = words.filter((word) => !word.startsWith('$'));
  return [...(isInEvent ? ['event'] : []), ...folders, `${name}.screen.tsx`].join('/');
}
