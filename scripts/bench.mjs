// `npm run bench -- <name> [options]` runs bench/<name>.ts on the pinned Node; without a name it lists the benches.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment, install, pinnedNode, root } from './install.mjs';

const folder = join(root, 'bench');
// The first line of a bench says what it measures. The other files in the folder are helpers.
const aboutOf = (file) => /^\/\/ Bench: (.+)/.exec(readFileSync(join(folder, file), 'utf8'))?.[1];
const benches = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && existsSync(join(folder, file)))
  .map((file) => ({ name: file.slice(0, -3), about: aboutOf(file) }))
  .filter((bench) => bench.about !== undefined);

const [name, ...options] = process.argv.slice(2);
if (!benches.some((bench) => bench.name === name)) {
  if (name !== undefined) process.stderr.write(`There is no bench ${name}.\n`);
  console.log('npm run bench -- <name>\n');
  for (const bench of benches) console.log(`  ${bench.name.padEnd(10)} ${bench.about}`);
  process.exit(name === undefined ? 0 : 1);
}

await install('develop');
const child = spawn(pinnedNode(), [join(folder, `${name}.ts`), ...options], { stdio: 'inherit', env: environment() });
// Ctrl-C at the terminal reaches the bench, too. It cleans up, and we exit after it.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill('SIGTERM'));
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGKILL' ? 137 : 1)));
