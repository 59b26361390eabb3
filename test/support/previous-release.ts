import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './running.ts';

/** The latest release and its commit, as CHANGELOG.md names them. */
function latestRelease(): { version: string; commit: string } {
  const [, version, commit] = /^## (\d[\d.]*)\n+Commit `([0-9a-f]{40})`/m.exec(
    readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'),
  )!;
  return { version: version!, commit: commit! };
}

/**
 * The folder of the latest release, with its packages: taken from git and installed once, and kept in the folder for temporary files
 * for the next time.
 */
export function previousRelease(): string {
  const { version, commit } = latestRelease();
  const folder = join(tmpdir(), `turnout-release-${commit}`);
  if (existsSync(folder)) return folder;
  const has = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT });
  if (has.status !== 0) {
    throw new Error(
      `Release ${version} (commit ${commit}) is not in this clone, so it cannot be started beside this build. Get it with: git fetch --unshallow`,
    );
  }
  const making = mkdtempSync(join(tmpdir(), 'turnout-release-making-'));
  try {
    must('sh', ['-c', `git archive ${commit} | tar -x -C "$0"`, making], ROOT);
    must('npm', ['ci', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund'], making);
    // Nobody sees a folder that is half made.
    renameSync(making, folder);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    if (!existsSync(folder)) throw error; // another run was first
  }
  return folder;
}

function must(command: string, args: readonly string[], cwd: string): void {
  const { status, error, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${error?.message ?? stderr}`);
}
