// Writes the generated files: those made from the declarations of operations, the tests of each claim of the contract, the schema of the
// database, and the vectors of the SDK. With --check it writes nothing, and fails if a committed file is out of date.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pinnedNode, root } from './install.mjs';

if (!process.features.typescript) {
  // This Node is older than the pinned one and cannot import TypeScript.
  const again = spawnSync(pinnedNode(), [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  process.exit(again.status ?? 1);
}

const { accountOperations, operations } = await import('../server/src/areas/index.ts');
const { openapiDocument } = await import('../server/src/openapi/document.ts');
const { errorsPage } = await import('../server/src/openapi/markdown/errors.ts');
const { accessPage } = await import('../server/src/openapi/markdown/access.ts');
const { mapPage } = await import('../server/src/openapi/markdown/map.ts');
const { claimsPage } = await import('./claims/page.mjs');
const { schemaPage } = await import('./schema.mjs');
const { migrationsPage } = await import('./migrations-page.mjs');
const { clientOperations } = await import('../packages/client/scripts/operations.mjs');
const { sdkFiles } = await import('../packages/sdk/scripts/generated.mjs');
const contract = await import('../packages/contract/src/index.ts');
const { pythonFiles } = await import('../packages/python/scripts/files.mjs');

const sources = readdirSync(join(root, 'server/src/areas'), { recursive: true })
  .map((path) => `server/src/areas/${path.replaceAll('\\', '/')}`)
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .sort()
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

const files = {
  'docs/reference/openapi.json': `${JSON.stringify(openapiDocument(operations), null, 2)}\n`,
  ...pythonFiles(openapiDocument(operations)),
  'docs/reference/errors.md': errorsPage(),
  'docs/reference/access.md': accessPage(operations),
  'docs/reference/map.md': mapPage(operations, sources, root),
  'docs/reference/claims.md': claimsPage(root),
  'packages/client/src/operations.generated.ts': clientOperations({
    members: operations.filter(({ member }) => member !== null),
    accounts: accountOperations,
    named: Object.entries(contract).filter(([, one]) => one instanceof Object && '~kind' in one),
  }),
  ...sdkFiles(openapiDocument(operations)),
  'docs/reference/schema.sql': await schemaPage(),
  'docs/reference/migrations.md': await migrationsPage(),
};

const read = (path) => {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return null;
  }
};
/** Folders that contain nothing but generated files, so that a file of something that is no longer there is noticed. */
const FOLDERS = ['packages/python/src/turnout/_generated', 'packages/sdk/src/generated'];
const leftOver = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && !one.parentPath.endsWith('__pycache__'))
    .map((one) => relative(root, join(one.parentPath, one.name)).replaceAll('\\', '/'))
    .filter((path) => !Object.hasOwn(files, path)),
);

const isCheck = process.argv.includes('--check');
let stale = 0;
for (const path of leftOver) {
  if (isCheck) {
    console.error(`${path} is no longer generated. Run \`npm run generate\`, review the difference and commit it.`);
    stale += 1;
  } else {
    rmSync(join(root, path));
    console.log(`removed ${path}`);
  }
}
for (const [path, content] of Object.entries(files)) {
  if (read(path) === content) continue;
  if (isCheck) {
    console.error(`${path} is out of date. Run \`npm run generate\`, review the difference and commit it.`);
    stale += 1;
  } else {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    console.log(`wrote ${path}`);
  }
}
const vectors = spawnSync(
  process.execPath,
  [join(root, 'packages/sdk/scripts/vectors.mjs'), ...process.argv.slice(2)],
  {
    stdio: 'inherit',
  },
);
process.exitCode = stale > 0 || vectors.status !== 0 ? 1 : 0;
