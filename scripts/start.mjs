import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { environment, install, pinnedNode, root } from './install.mjs';

install('run');
const child = spawn(pinnedNode(), [join(root, 'server', 'src', 'main.ts')], { stdio: 'inherit', env: environment() });
// Ctrl-C reaches the server by itself (same terminal); SIGTERM is passed on. We leave when it has left.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill('SIGTERM'));
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGKILL' ? 137 : 1)));
