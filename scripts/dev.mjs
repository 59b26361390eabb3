// `npm run dev`: the server, and the apps by Vite, which reloads a screen when its source changes. All are at one address, that of the
// organizer's app; it passes everything that is not its own on to the server or the scanner. PORT is that address (3000 if left out); the
// server is one port above it, the scanner two.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { environment, install, pinnedNode, root, say } from './install.mjs';
import { NODE_FLAGS } from './node-flags.mjs';

await install('develop');
const port = Number(process.env.PORT ?? 3000);
const node = pinnedNode();
const shared = environment();
const children = [];
let ending = false;

function start(args, env) {
  const child = spawn(node, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env: { ...shared, ...env } });
  children.push(child);
  // If one of them ends, the others are of no use.
  child.on('exit', (code) => end(code ?? 1));
}
function end(code) {
  if (ending) return;
  ending = true;
  process.exitCode = code;
  for (const child of children) child.kill('SIGTERM');
}

start([...NODE_FLAGS, join(root, 'server', 'src', 'main.ts')], {
  PORT: String(port + 1),
  // Links and the check of the origin go by the address that the browser knows.
  PUBLIC_URL: process.env.PUBLIC_URL ?? `http://localhost:${port}`,
});
const vite = (app, port) => [
  join(root, 'node_modules', 'vite', 'bin', 'vite.js'),
  ...['--port', String(port), '--strictPort'],
  join(root, 'web', app),
];
start(vite('scan', port + 2), {});
start(vite('admin', port), {
  TURNOUT_DEV_SERVER: `http://127.0.0.1:${port + 1}`,
  TURNOUT_DEV_SCANNER: `http://localhost:${port + 2}`,
});
say(`the apps are at http://localhost:${port}/app and /scan; what you change is loaded at once. Stop with Ctrl-C.`);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(0));
