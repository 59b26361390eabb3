// Compiles the nodes into dist/ and puts beside them what n8n reads with them: the icons and the codex files.
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
rmSync(join(root, 'dist'), { recursive: true, force: true });
execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', root], { stdio: 'inherit' });
for (const folder of ['nodes', 'icons']) {
  cpSync(join(root, folder), join(root, 'dist', folder), {
    recursive: true,
    filter: (path) => !path.endsWith('.ts'),
  });
}
