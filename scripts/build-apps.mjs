// `node scripts/build-apps.mjs APP FOLDER` builds one of the browser apps into a folder, with a gzip and a brotli copy of each file that gains
// by it. Called by scripts/apps.mjs.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { root } from './install.mjs';

// Vite takes React's slow and large build for development if the environment of a test or a developer says so.
process.env.NODE_ENV = 'production';
const { build } = await import('vite');

const [app, folder] = process.argv.slice(2);
await build({
  configFile: join(root, 'web', app, 'vite.config.ts'),
  logLevel: 'warn',
  build: { outDir: folder, emptyOutDir: true },
});

const brotli = (bytes) =>
  promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
const packers = { gz: (bytes) => promisify(gzip)(bytes, { level: 9 }), br: brotli };
const assets = join(folder, 'assets');
await Promise.all(
  readdirSync(assets)
    .filter((name) => /\.(js|css|svg|json|wasm)$/.test(name))
    .flatMap((name) => {
      const bytes = readFileSync(join(assets, name));
      return Object.entries(packers).map(async ([ending, pack]) => {
        const packed = await pack(bytes);
        if (packed.length < bytes.length) writeFileSync(join(assets, `${name}.${ending}`), packed);
      });
    }),
);
