// `npm run drill -- [options]` installs what the drill needs and runs drill/drill.ts on the pinned Node.
import { join } from 'node:path';
import { environment, install, pinnedNode, root, run } from './install.mjs';
import { installTools } from './tools.mjs';

await install('develop');
if (!process.argv.includes('--help')) await installTools('drill');
const command = ['--no-warnings', join(root, 'drill', 'drill.ts'), ...process.argv.slice(2)];
process.exit(await run(pinnedNode(), command, { stdio: 'inherit', env: environment() }));
