// `npm run vendor -- 1.72.1` takes the files that browsers load of that version of Scalar's reference page into server/vendor/scalar, with
// the license of everything that is built into them. docs/decisions/0046-vendored-reference.md says why they are in the repository.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, say } from './install.mjs';

const PACKAGE = '@scalar/api-reference';
const MAIN = 'standalone.esm.js';
const FOLDER = join(root, 'server', 'vendor', 'scalar');

const [version] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version ?? '')) {
  say(`name the version of ${PACKAGE}, for example: npm run vendor -- 1.72.1`);
  process.exit(1);
}
const temporary = mkdtempSync(join(tmpdir(), 'turnout-vendor-'));
try {
  const { built, integrity } = fetchPackage();
  const files = readdirSync(built, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path === MAIN || /^chunks\/[^/]+\.js$/.test(path))
    .sort();
  const licenses = licensesOf(builtIn(built));

  for (const name of readdirSync(FOLDER)) {
    if (name !== 'LICENSE' && name !== 'README.md') rmSync(join(FOLDER, name), { recursive: true });
  }
  mkdirSync(join(FOLDER, 'chunks'));
  for (const file of files) cpSync(join(built, file), join(FOLDER, file));
  writeFileSync(join(FOLDER, 'licenses.txt'), licenses);
  const hashes = Object.fromEntries(files.map((file) => [file, hashOf(readFileSync(join(FOLDER, file)))]));
  const list = { package: PACKAGE, version, integrity, files: hashes };
  writeFileSync(join(FOLDER, 'vendored.json'), `${JSON.stringify(list, null, 2)}\n`);
  say(
    `${files.length} files of ${PACKAGE} ${version} are in server/vendor/scalar. Look at /docs before you commit them.`,
  );
} finally {
  rmSync(temporary, { recursive: true, force: true });
}

/** Downloads the package, without what it depends on. npm compares it with the hash that the registry names. */
function fetchPackage() {
  const [{ filename, integrity }] = JSON.parse(npm(['pack', `${PACKAGE}@${version}`, '--json']));
  execFileSync('tar', ['-xzf', filename], { cwd: temporary });
  return { built: join(temporary, 'package', 'dist', 'browser'), integrity };
}

/** The packages that are built into the files, as the source maps beside them name them: "…/.pnpm/vue@3.5.40_typescript@5/node_modules/vue/…". */
function builtIn(built) {
  const found = new Map();
  for (const file of readdirSync(built, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.map') || file === 'standalone.js.map') continue;
    const { sources } = JSON.parse(readFileSync(join(built, file), 'utf8'));
    for (const source of sources) {
      const [, folder, name] = /\.pnpm\/([^/]+)\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source) ?? [];
      if (folder === undefined) continue;
      found.set(name, folder.slice(name.length + 1).replace(/_.*/, ''));
    }
  }
  return found;
}

/** One text for all of them, in which each license stands once. */
function licensesOf(packages) {
  const dependencies = Object.fromEntries([...packages].sort(([a], [b]) => (a < b ? -1 : 1)));
  const folder = join(temporary, 'licenses');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  npm(['install', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'], folder);
  const byText = new Map();
  for (const [name, exact] of Object.entries(dependencies)) {
    const at = join(folder, 'node_modules', name);
    const file = readdirSync(at).find((one) => /^(licen[cs]e|copying)/i.test(one));
    const { license, author } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'));
    if (file === undefined && license === undefined) throw new Error(`${name} ${exact} names no license.`);
    const maker = typeof author === 'string' ? author : author?.name;
    const text =
      file === undefined
        ? `${license}${maker === undefined ? '' : `, ${maker}`} (the package has no file with its license)`
        : readFileSync(join(at, file), 'utf8').replaceAll('\r\n', '\n').trim();
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${exact}`]);
  }
  const line = '-'.repeat(80);
  const parts = [...byText].map(([text, names]) => `${line}\n${names.join(', ')}\n${line}\n\n${text}\n`);
  return `What is built into ${PACKAGE} ${version}, and under which licenses. Scalar's own is in LICENSE.\n\n${parts.join('\n')}`;
}

function npm(args, cwd = temporary) {
  return execFileSync('npm', [...args, '--loglevel=error'], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });
}

function hashOf(bytes) {
  return `sha256-${createHash('sha256').update(bytes).digest('base64')}`;
}
