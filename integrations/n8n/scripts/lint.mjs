// Packs the package as it would be published and runs n8n's own scanner over what was packed, and over the sources, as n8n does with
// packages that are submitted to it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { analyzePackage, SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-turnout-'));
try {
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
  const unpacked = join(folder, 'unpacked');
  mkdirSync(unpacked);
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', unpacked, '--strip-components=1']);
  const results = {
    packed: await analyzePackage(unpacked),
    sources: await analyzePackage(root, SOURCE_FILE_PATTERNS),
  };
  for (const [what, { passed, message, details }] of Object.entries(results)) {
    console.log(passed ? `${what}: passed` : `${what}: ${message}\n${details ?? ''}`);
    if (!passed) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
