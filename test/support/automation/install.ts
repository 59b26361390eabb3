import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../running.ts';

export const folderOf = (name: 'zapier' | 'n8n'): string => join(ROOT, 'integrations', name);

/**
 * Installs the packages of an automation app and builds it. The apps are npm projects of their own, because nobody who runs Turnout needs
 * their packages. What is installed stays until the lockfile changes.
 */
export function installIntegration(name: 'zapier' | 'n8n'): string {
  const cwd = folderOf(name);
  const stamp = join(cwd, 'node_modules', '.installed-from');
  const wanted = createHash('sha256')
    .update(readFileSync(join(cwd, 'package-lock.json')))
    .digest('hex');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    npm(cwd, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error');
    writeFileSync(stamp, wanted);
  }
  npm(cwd, 'run', '--silent', 'build');
  return cwd;
}

export function npm(cwd: string, ...args: string[]): string {
  try {
    return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`npm ${args.join(' ')} failed in ${cwd}:\n${stdout}\n${stderr}`);
  }
}
