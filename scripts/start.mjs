import { join } from 'node:path';
import { buildApps } from './apps.mjs';
import { environment, install, pinnedNode, root, run } from './install.mjs';
import { NODE_FLAGS } from './node-flags.mjs';

await install('run');
// A worker serves no pages.
if ((process.env.ROLES?.trim() || 'api').split(',').some((role) => role.trim() === 'api')) await buildApps();
const code = await run(pinnedNode(), [...NODE_FLAGS, join(root, 'server', 'src', 'main.ts')], {
  cwd: process.cwd(),
  // Through this channel the server notices that we have ended, also by kill -9, and stops.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: environment(),
});
process.exit(code);
