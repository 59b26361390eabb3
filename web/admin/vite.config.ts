import { fileURLToPath } from 'node:url';
import locales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// Where the server answers while `npm run dev` runs (scripts/dev.mjs).
const server = process.env.TURNOUT_DEV_SERVER ?? 'http://127.0.0.1:3000';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/app/',
  plugins: [
    // react-aria brings words in thirty languages; these are ours.
    locales.vite({ locales: ['en-US', 'de-DE', 'fr-FR', 'es-ES'] }),
    react(),
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
  },
  server: {
    // Everything but the screens comes from the server: operations, the reference, the redirects of single sign-on.
    proxy: { '^/(?!app(?:/|$))|^/app/(?:api|-/oidc)/': { target: server, changeOrigin: false } },
  },
  worker: { format: 'es' },
});
