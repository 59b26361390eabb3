import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';

/** A file that the service worker keeps: its address, and the hash that its content must have. */
type Kept = readonly [path: string, integrity: string];

/**
 * Builds the service worker once everything else is built, as a file of its own beside the page, because it has to know the name and the
 * hash of every file that it keeps. It is built apart, so that it shares no file with the page: a service worker can import none.
 */
export function serviceWorker(root: string): Plugin {
  return {
    name: 'turnout-service-worker',
    apply: 'build',
    writeBundle: {
      sequential: true,
      async handler({ dir }) {
        const files = keptFiles(dir!);
        await build({
          configFile: false,
          root,
          publicDir: false,
          logLevel: 'warn',
          define: {
            __FILES__: JSON.stringify(files),
            __BUILD__: JSON.stringify(hash('sha256', JSON.stringify(files), 'hex').slice(0, 16)),
          },
          build: {
            outDir: dir!,
            emptyOutDir: false,
            target: this.environment.config.build.target,
            rolldownOptions: {
              input: join(root, 'src', 'worker', 'sw.ts'),
              output: { format: 'iife', entryFileNames: 'sw.js' },
            },
          },
        });
      },
    },
  };
}

const hash = (algorithm: string, content: string | Buffer, encoding: 'hex' | 'base64') =>
  createHash(algorithm).update(content).digest(encoding);

/** The page, at the address without a file name, and every file of the app. */
function keptFiles(folder: string): Kept[] {
  const beside = readdirSync(folder, { withFileTypes: true })
    .filter((one) => one.isFile() && one.name !== 'sw.js')
    .map((one) => one.name);
  const assets = readdirSync(join(folder, 'assets')).map((name) => `assets/${name}`);
  return [...beside, ...assets].sort().map((name) => {
    const integrity = `sha256-${hash('sha256', readFileSync(join(folder, name)), 'base64')}`;
    return [`/scan/${name === 'index.html' ? '' : name}`, integrity];
  });
}
