import { enableCompileCache } from 'node:module';
import type { Turnout } from './app.ts';
import type { Config } from './config.ts';

// A reader that has left (`| head`, a closed terminal) must not end us, least of all in the middle of a stop.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
enableCompileCache();
const { ConfigError, readConfig, requirePort } = await import('./config.ts');

/** Starts what ROLES says, prints what to do next, stops cleanly on SIGTERM and Ctrl-C. */
const say = (line: string) => process.stderr.write(`turnout: ${line}\n`);

const UNREACHABLE =
  /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|28P01|28000|3D000|57P03|53300)$/;

/** Errors that say in one line what is wrong. */
const clear: (new () => Error)[] = [ConfigError];

function explain(error: unknown): string {
  const { code, message, severity, stack, syscall } = error as NodeJS.ErrnoException & { severity?: string };
  if (clear.some((kind) => error instanceof kind)) return message;
  if (
    syscall === 'connect' ||
    UNREACHABLE.test(code ?? '') ||
    /^Connection terminated|SSL connections|^timeout expired/.test(message)
  )
    return `The database cannot be reached (${message || code}). Check DATABASE_URL.`;
  if (severity !== undefined) return `The database does not go along: ${message} (${code}).`;
  return stack ?? String(error);
}

function fail(error: unknown): never {
  say(explain(error));
  process.exit(1);
}

let begun = false;
let turnout: Turnout | null = null;
let asked: number | null = null;

/** Who asks during the start waits for it: a database just started has to be stopped, too. */
function stop(why: string, config: Config): void {
  if (asked !== null) {
    // Ctrl-C reaches us from the terminal and once more from whoever passes it on.
    if (performance.now() - asked > 1000) say('stopping already; a moment, please');
    return;
  }
  asked = performance.now();
  say(`${why}: finishing what runs`);
  if (turnout !== null) void finish(turnout);
  else if (!begun || config.databaseUrl !== null) process.exit(0);
}

async function finish(running: Turnout): Promise<void> {
  await running.stop().catch(fail);
  say('stopped');
  process.exit(0);
}

try {
  const config = readConfig(process.env);
  process.on('SIGTERM', () => stop('SIGTERM', config));
  process.on('SIGHUP', () => stop('terminal closed', config));
  process.on('SIGINT', () => stop('Ctrl-C', config));
  // Started by `npm start`, which cannot pass on a kill -9.
  if (process.channel) process.on('disconnect', () => stop('npm start has ended', config));
  if (config.roles.includes('api')) await requirePort(config);
  // Only now: whatever was wrong so far is said in a fraction of the time.
  const { DatabaseRefused, PUBLIC_TEST_KEY, startTurnout } = await import('./app.ts');
  const { EmbeddedError } = await import('./embedded/index.ts');
  clear.push(DatabaseRefused, EmbeddedError);
  begun = true;
  turnout = await startTurnout(config, { progress: say });
  if (asked !== null) await finish(turnout);
  else if (config.roles.includes('api')) process.stdout.write(welcome(config, turnout, PUBLIC_TEST_KEY));
  else say('working in the background (ROLES=worker)');
} catch (error) {
  fail(error);
}

function welcome(config: Config, { url, mail }: Turnout, testKey: string): string {
  const base = config.publicUrl.endsWith(':0') ? url : config.publicUrl;
  return [
    '',
    `Turnout answers at ${base}`,
    '',
    `  API              ${base}/v1`,
    `  Reference        ${base}/docs`,
    `  Health           ${base}/readyz`,
    `  Mails are ${mail.describe}`,
    '',
    ...(config.sandbox
      ? [
          'A sandbox organization of made-up people is there to try; this is its public test key:',
          '',
          `  ${testKey}`,
          '',
          'Your first call:',
          '',
          `  curl -H "Authorization: Bearer ${testKey}" ${base}/v1/me`,
          '',
        ]
      : []),
    'Your own organization and key (in another terminal, in this folder):',
    '',
    '  npx turnout org create --code acme --name "Acme Events" --plan scale',
    '  npx turnout key create --org acme --name first --mode live --scopes read,write,admin,scanner',
    '',
    'Stop with Ctrl-C.',
    '',
  ].join('\n');
}
