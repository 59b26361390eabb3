// Builds what is published, in `dist` or in the folder that is given: JavaScript modules with their types, and a package.json that
// leads to them. (The package.json beside this folder leads to the TypeScript sources, which the rest of the repository runs as they
// are.) To publish: `npm run build -w @turnout/sdk && npm publish packages/sdk/dist`.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('..', import.meta.url));
const target = resolve(process.argv[2] ?? join(here, 'dist'));
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });

const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
execFileSync(process.execPath, [tsc, '-p', join(here, 'tsconfig.build.json'), '--outDir', target], {
  stdio: 'inherit',
});

// The compiler leaves `./call.ts` in the types as it is. Older compilers and other tools look for `./call.js`, as in the modules.
for (const path of readdirSync(target, { recursive: true }).filter((one) => one.endsWith('.d.ts'))) {
  const text = readFileSync(join(target, path), 'utf8');
  writeFileSync(join(target, path), text.replaceAll(/((?:from |import\()['"]\.[^'"]*)\.ts(?=['"])/g, '$1.js'));
}

const {
  private: _private,
  scripts: _scripts,
  exports: _sources,
  ...kept
} = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
const published = {
  ...kept,
  engines: { node: '>=20' },
  exports: {
    '.': { types: './index.d.ts', default: './index.js' },
    './webhook-vectors.json': './webhook-vectors.json',
    './package.json': './package.json',
  },
};
writeFileSync(join(target, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
for (const file of ['README.md', 'LICENSE', 'webhook-vectors.json']) copyFileSync(join(here, file), join(target, file));
