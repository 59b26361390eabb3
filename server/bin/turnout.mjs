#!/usr/bin/env node
// npm puts the pinned Node 24 first on the PATH of `npx` and `npm run`; called by hand with an older one, we go there ourselves.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 18)) {
  (await import('node:module')).enableCompileCache();
  await import('../src/cli/main.ts');
} else {
  const pinned = fileURLToPath(
    new URL(`../../node_modules/node-${process.platform}-${process.arch}/bin/node`, import.meta.url),
  );
  if (!existsSync(pinned)) {
    console.error('Turnout needs Node 22.18 or newer.');
    process.exit(1);
  }
  const done = spawnSync(pinned, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  process.exit(done.status ?? 1);
}
