import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { serviceWorker } from './vite-service-worker.ts';

const root = fileURLToPath(new URL('.', import.meta.url));

/** `npm run dev`: /scan without a slash at the end is the entry of the app, as at the server; Vite alone would refuse it. */
const entryWithoutSlash: Plugin = {
  name: 'turnout-entry',
  configureServer: ({ middlewares }) => {
    middlewares.use((request, _response, next) => {
      request.url = request.url?.replace(/^\/scan(?=\?|$)/, '/scan/');
      next();
    });
  },
};

export default defineConfig({
  root,
  base: '/scan/',
  ...(process.env.TURNOUT_BUILD !== undefined && {
    define: { __BUILD__: JSON.stringify(process.env.TURNOUT_BUILD) },
  }),
  plugins: [entryWithoutSlash, serviceWorker(root)],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: ['es2023', 'chrome123', 'firefox128', 'safari17.5'],
    // A data: address is longer than the file, and fonts and pictures are cached by their names.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
    // Which file is loaded by which, for the test of sizes.
    manifest: true,
    rolldownOptions: {
      // The English nouns are needed at once, and also loaded like the nouns of every other language.
      // How long plugins took is of interest to nobody who starts a server on a busy machine.
      checks: { ineffectiveDynamicImport: false, bundlerTimings: false },
    },
  },
  worker: { format: 'es' },
});
