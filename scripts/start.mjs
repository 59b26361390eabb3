import { join } from 'node:path';
import { environment, install, pinnedNode, root, run } from './install.mjs';
import { NODE_FLAGS } from './node-flags.mjs';

await install('run');
const code = await run(pinnedNode(), [...NODE_FLAGS, join(root, 'server', 'src', 'main.ts')], {
  cwd: process.cwd(),
  // Through this channel the server notices that we have ended, also by kill -9, and stops.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: environment(),
});
process.exit(code);
