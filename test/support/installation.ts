import { complete, ROOT } from './running.ts';

/** Runs a command of the operator's command line. Answers what it printed. */
type CommandLine = (...words: string[]) => Promise<string>;

/** The command line of the build in this folder: this one, if left out. */
export const commandLine =
  (env: Record<string, string>, cwd = ROOT): CommandLine =>
  async (...words) => {
    const ran = await complete([process.execPath, 'server/src/cli/main.ts', ...words], env, cwd);
    if (ran.code !== 0) throw new Error(`turnout ${words.join(' ')}: ${ran.stderr}${ran.stdout}`);
    return ran.stdout;
  };

/** An organization that may call as often as it likes. Answers the secret of its key. */
export async function makeOrganization(turnout: CommandLine, code: string): Promise<string> {
  await turnout('org', 'create', '--code', code, '--name', code, '--plan', 'scale');
  await turnout('org', 'plan', '--org', code, '--limit', 'api_rate_per_min=1000000');
  const scopes = 'read,write,admin,scanner';
  const made = await turnout(
    ...['key', 'create', '--org', code, '--name', 'load', '--mode', 'live', '--scopes', scopes, '--rpm', '1000000'],
  );
  return (JSON.parse(made) as { secret: string }).secret;
}
