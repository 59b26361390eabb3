import { join } from 'node:path';
import { buildApps } from './apps.mjs';
import { environment, install, pinnedNode, root, run } from './install.mjs';
import { NODE_FLAGS } from './node-flags.mjs';

await install('run');
// A worker serves no pages.
const serves = (process.env.ROLES?.trim() || 'api').split(',').some((role) => role.trim() === 'api');
// The database is made and the apps are built at the same time. The server answers when both are there.
const stop = new AbortController();
const apps = serves ? buildApps({ stop: stop.signal }) : Promise.resolve(null);
const code = await run(
  pinnedNode(),
  [...NODE_FLAGS, join(root, 'server', 'src', 'main.ts'), ...(serves ? ['--apps-follow'] : [])],
  {
    cwd: process.cwd(),
    // Through this channel the server learns that the apps are built, and notices that we have ended, also by kill -9, and stops.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: environment(),
  },
  (server) => void apps.then(() => server.connected && server.send('apps')),
);
// It did not start, or was stopped before the apps were built.
stop.abort();
await apps;
process.exit(code);
