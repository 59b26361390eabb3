import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The Debian package of each system tool that the tests use. */
const PACKAGES = { pdftoppm: 'poppler-utils', pdftotext: 'poppler-utils' } as const;
export type Tool = keyof typeof PACKAGES;

const found = (tool: string) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, tool)));

/** Whether a system tool is there. It is installed if that is allowed; if it is missing, a warning says what is skipped. */
export function hasTool(tool: Tool): boolean {
  if (found(tool)) return true;
  if (process.getuid?.() === 0 && found('apt-get')) {
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', PACKAGES[tool]], {
      stdio: 'ignore',
      timeout: 180_000,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    if (found(tool)) return true;
  }
  console.warn(`!!! SKIPPED: ${tool} is missing (install ${PACKAGES[tool]}), so what it checks is not checked`);
  return false;
}
