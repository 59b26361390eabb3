// Builds what is published into `dist`: the same modules as ES modules (`dist/esm`) and as CommonJS (`dist/cjs`), each with its types.
// `npm pack` and `npm publish` call this script before they read the folder. The rest of the repository runs the sources instead: the
// condition `turnout-source` in package.json leads to them.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, root } from '../../../scripts/install.mjs';

const here = fileURLToPath(new URL('..', import.meta.url));
const tsc = join(root, 'node_modules/typescript/bin/tsc');
// The compiler is a tool for development, which an installation that only runs the server need not have.
if (!existsSync(tsc)) await install('develop');

/** A folder's own package.json says in which format its modules, and their types, are to be read. */
const FORMATS = [
  { folder: 'esm', type: 'module', options: ['--module', 'nodenext', '--moduleResolution', 'nodenext'] },
  { folder: 'cjs', type: 'commonjs', options: ['--module', 'commonjs', '--moduleResolution', 'bundler'] },
];

const dist = join(here, 'dist');
mkdirSync(dist, { recursive: true });
// Each build has a folder of its own, and its result is put in place when it is whole: two may run at once, and one may be killed.
const building = mkdtempSync(join(dist, 'building-'));
try {
  for (const format of FORMATS) build(join(building, format.folder), format);
  for (const { folder } of FORMATS) {
    rmSync(join(dist, folder), { recursive: true, force: true });
    renameSync(join(building, folder), join(dist, folder));
  }
} finally {
  rmSync(building, { recursive: true, force: true });
}

function build(target, { type, options }) {
  execFileSync(process.execPath, [tsc, '-p', join(here, 'tsconfig.build.json'), '--outDir', target, ...options], {
    // Standard output belongs to npm: `npm pack` says there how its file is called.
    stdio: ['ignore', process.stderr, process.stderr],
  });
  // The compiler leaves `./call.ts` in the types as it is. Older compilers and other tools look for `./call.js`, as in the modules.
  for (const path of readdirSync(target, { recursive: true }).filter((one) => one.endsWith('.d.ts'))) {
    const text = readFileSync(join(target, path), 'utf8');
    writeFileSync(join(target, path), text.replaceAll(/((?:from |import\()['"]\.[^'"]*)\.ts(?=['"])/g, '$1.js'));
  }
  writeFileSync(join(target, 'package.json'), `${JSON.stringify({ type, sideEffects: false }, null, 2)}\n`);
}
