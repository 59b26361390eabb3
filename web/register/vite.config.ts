import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/**
 * The script and the style of the registration pages. The pages themselves are made by the server (server/src/areas/pages), which puts
 * the style into each of them and names the script; `index.html` is only the list of what to build.
 */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  build: {
    target: ['es2022', 'chrome111', 'firefox128', 'safari16.4'],
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        page: fileURLToPath(new URL('index.html', import.meta.url)),
        embed: fileURLToPath(new URL('src/embed.ts', import.meta.url)),
      },
      output: { entryFileNames: 'assets/[name]-[hash].js' },
      checks: { bundlerTimings: false },
    },
  },
});
