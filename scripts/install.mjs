// What `npm start`, `npm test` and `npm run bench` share: packages in place, the pinned Node found. Runs on Node 20.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const mark = join(root, 'node_modules', '.turnout-installed');

const wanted = (what) =>
  `${what} ${createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')}`;

/** `what`: 'run' (nothing but what the server needs) or 'develop' (tests and tools, too). */
export function install(what) {
  const have = existsSync(mark) ? readFileSync(mark, 'utf8') : '';
  if (have === wanted('develop') || have === wanted(what)) return;
  process.stderr.write(
    `turnout: installing packages (${what === 'run' ? 'once, about 150 MB' : 'with the tools for development, once'}) …\n`,
  );
  const started = Date.now();
  // Without lifecycle scripts: nothing we use needs one, and none may run unasked.
  const args = [
    'ci',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...(what === 'run' ? ['--omit=dev'] : []),
  ];
  const done = spawnSync('npm', args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (done.status !== 0) {
    process.stderr.write(
      'turnout: npm could not install the packages. Is the registry reachable, and this folder writable?\n',
    );
    process.exit(done.status ?? 1);
  }
  writeFileSync(mark, wanted(what));
  process.stderr.write(`turnout: installed in ${Math.round((Date.now() - started) / 1000)} s\n`);
}

/** Node 24 as pinned; on systems without a pinned build the caller's own, if it can strip types. */
export function pinnedNode() {
  const pinned = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (existsSync(pinned)) return pinned;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return process.execPath;
  process.stderr.write('turnout: this system needs Node 22.18 or newer.\n');
  process.exit(1);
}

/** The environment in which children find the pinned Node and our tools first. */
export const environment = () => ({
  ...process.env,
  PATH: [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
});
