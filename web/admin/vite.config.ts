import { fileURLToPath } from 'node:url';
import locales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

// Where the server answers while `npm run dev` runs (scripts/dev.mjs).
const server = process.env.TURNOUT_DEV_SERVER ?? 'http://127.0.0.1:3000';
const scanner = process.env.TURNOUT_DEV_SCANNER ?? 'http://localhost:3002';

/**
 * What every screen needs: React, the cache of answers, the client, the words and the simple components. In one file they are smaller,
 * compressed, than in the many that they would be split into by who uses what.
 */
const EVERYWHERE =
  /node_modules\/(react|react-dom|scheduler|@tanstack\/(query-core|react-query))\/|packages\/(client\/src\/|words\/src\/\w+\.ts$|ui\/src\/(?!calendar|combobox|menu|sign-icons|table)[\w-]+\.tsx?$)|admin\/src\/frame\/(action|answer|api|app|begin|failures|filters|in-shell|organization|report|then|words)\.tsx?$/;
/** Signing in. In one file it needs one request instead of seven. */
const SIGN_IN =
  /admin\/src\/screens\/sign-in(\/(sign-in|countdown|flow|languages|passkey|throttled|use-mail|ways)\.tsx?)$/;
/** What every screen needs but signing in: the addresses, and small parts of most screens. */
const ROUTER =
  /node_modules\/(use-sync-external-store|@tanstack\/(router-core|react-router|history|store|react-store))\/|admin\/src\/(screens\.tsx|routes\.ts|routes\/\w+\.ts|frame\/(failed|root|route)\.tsx?|parts\/(popup|use-filters|use-phone)\.tsx?)$/;

/** `npm run dev`: /app without a slash at the end is the entry of the app, as at the server; Vite alone would refuse it. */
const entryWithoutSlash: Plugin = {
  name: 'turnout-entry',
  configureServer: ({ middlewares }) => {
    middlewares.use((request, _response, next) => {
      request.url = request.url?.replace(/^\/app(?=\?|$)/, '/app/');
      next();
    });
  },
};

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/app/',
  plugins: [
    // react-aria brings words in thirty languages; these are ours.
    locales.vite({ locales: ['en-US', 'de-DE', 'fr-FR', 'es-ES'] }),
    react(),
    entryWithoutSlash,
  ],
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
      output: {
        codeSplitting: {
          groups: [
            { name: 'everywhere', test: EVERYWHERE },
            { name: 'sign-in', test: SIGN_IN },
            { name: 'router', test: ROUTER },
          ],
        },
      },
      // The English nouns are needed at once, and also loaded like the nouns of every other language.
      // How long plugins took is of interest to nobody who starts a server on a busy machine.
      checks: { ineffectiveDynamicImport: false, bundlerTimings: false },
    },
  },
  server: {
    // Everything but the screens comes from the server: operations, the reference, the redirects of single sign-on.
    proxy: {
      // The scanner has a Vite of its own, which tells its page through a web socket what has changed.
      '^/scan(?:[/?]|$)': { target: scanner, changeOrigin: false, ws: true },
      '^/(?!app(?:/|$))|^/app/(?:api|-/oidc)/': { target: server, changeOrigin: false },
    },
  },
  worker: { format: 'es' },
});
