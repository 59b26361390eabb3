// `node scripts/pinned.mjs FILE [options]` installs the packages for development and runs a file of the project on the pinned Node.
import { join } from 'node:path';
import { environment, install, pinnedNode, root, run } from './install.mjs';

const [file, ...options] = process.argv.slice(2);
await install('develop');
process.exit(await run(pinnedNode(), [join(root, file), ...options], { stdio: 'inherit', env: environment() }));
