import { join } from 'node:path';
import { environment, install, pinnedNode, root, run } from './install.mjs';
import { NODE_FLAGS } from './node-flags.mjs';

await install('run');
const code = await run(pinnedNode(), [...NODE_FLAGS, join(root, 'server', 'src', 'main.ts')], {
  cwd: process.cwd(),
  // By the channel the server learns of our end when even we could not tell it (kill -9), and stops.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: environment(),
});
process.exit(code);
