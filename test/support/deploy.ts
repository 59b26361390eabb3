import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './running.ts';

export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The environment variables that the server reads (server/src/config.ts), and those that libraries and Node read. */
export function settings(): Set<string> {
  const ours = [
    ...read('server/src/config.ts').matchAll(/\b(?:text|number|url|oneOf|list|networks)(?:<\w+>)?\('([A-Z_]+)'/g),
  ];
  const others = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'NODE_ENV', 'NODE_COMPILE_CACHE'];
  return new Set([...ours.map(([, name]) => name!), ...others]);
}

/** How a server is started where `npm start` does not do it. */
export const START = ['--max-semi-space-size=32', '--min-semi-space-size=32', '/opt/turnout/server/src/main.ts'];
