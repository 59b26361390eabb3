import { enableCompileCache } from 'node:module';
import type { WelcomeLinks } from './areas/accounts/index.ts';
import type { Config } from './config.ts';
import type { Turnout } from './start/app.ts';

// If nobody reads our output any more (`| head`, a closed terminal), writing fails. That must not end the process.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
enableCompileCache();
/** `npm start` builds the apps meanwhile, and tells us when it is done. We answer only then. */
const appsReady = process.argv.includes('--apps-follow') ? toldOrAlone() : Promise.resolve();
const { ConfigError, readConfig, requirePort } = await import('./config.ts');

// This file starts the roles in ROLES, prints what to do next, and stops cleanly on SIGTERM and Ctrl-C.

const say = (line: string) => process.stderr.write(`turnout: ${line}\n`);

const UNREACHABLE =
  /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|28P01|28000|3D000|57P03|53300)$/;

/** Errors whose message says in one line what is wrong, so that no stack trace is printed. */
const plainErrors: (new () => Error)[] = [ConfigError];

function explain(error: unknown): string {
  const { code, message, severity, stack, syscall } = error as NodeJS.ErrnoException & { severity?: string };
  if (plainErrors.some((kind) => error instanceof kind)) return message;
  if (
    syscall === 'connect' ||
    UNREACHABLE.test(code ?? '') ||
    /^Connection terminated|SSL connections|^timeout expired/.test(message)
  )
    return `The database cannot be reached (${message || code}). Check DATABASE_URL.`;
  if (severity !== undefined) return `The database reports an error: ${message} (${code}).`;
  return stack ?? String(error);
}

function fail(error: unknown): never {
  say(explain(error));
  process.exit(1);
}

let starting = false;
let turnout: Turnout | null = null;
/** When the first signal to stop came. */
let stopAskedAt: number | null = null;

/** A stop during the start waits until the start is done, because an embedded database that has just started must be stopped too. */
function stop(why: string, config: Config): void {
  if (stopAskedAt !== null) {
    // Ctrl-C reaches us twice: from the terminal, and from the npm process that passes it on.
    if (performance.now() - stopAskedAt > 1000) say('stopping already; please wait a moment');
    return;
  }
  stopAskedAt = performance.now();
  say(`${why}: finishing what runs`);
  if (turnout !== null) void finish(turnout, why === 'SIGTERM' && config.roles.includes('api') ? config.drainMs : 0);
  else if (!starting || config.databaseUrl !== null) process.exit(0);
}

/** Only whoever runs several processes has a balancer that takes this one out first. Nobody waits for that at a terminal. */
async function finish(running: Turnout, drainMs = 0): Promise<void> {
  if (drainMs > 0) await running.leave(drainMs);
  await running.stop().catch(fail);
  say('stopped');
  process.exit(0);
}

try {
  const config = readConfig(process.env);
  process.on('SIGTERM', () => stop('SIGTERM', config));
  process.on('SIGHUP', () => stop('terminal closed', config));
  process.on('SIGINT', () => stop('Ctrl-C', config));
  // `npm start` started us. If it is killed with kill -9 it cannot pass that on, but its channel to us closes.
  if (process.channel) process.on('disconnect', () => stop('npm start has ended', config));
  if (config.roles.includes('api')) await requirePort(config);
  // The rest of the program is loaded only now, so that a wrong setting is reported in a fraction of the time.
  const { DatabaseRefused, PUBLIC_TEST_KEY, startTurnout } = await import('./start/app.ts');
  const { EmbeddedError } = await import('./embedded/index.ts');
  plainErrors.push(DatabaseRefused, EmbeddedError);
  // If the connection to the database breaks, all statements that were sent together fail, and whoever waits for them hears only of the
  // first. The others must not end the process, because the database comes back. Any other failure that nobody hears of is our fault.
  const { isUnreachable } = await import('./road/errors.ts');
  process.on('unhandledRejection', (error) => {
    if (!isUnreachable(error)) fail(error);
  });
  starting = true;
  turnout = await startTurnout(config, { progress: say, appsReady });
  if (stopAskedAt !== null) await finish(turnout);
  else if (config.roles.includes('api'))
    process.stdout.write(welcome(config, turnout, await turnout.welcomeLinks(), PUBLIC_TEST_KEY));
  else say('working in the background (ROLES=worker)');
} catch (error) {
  fail(error);
}

function toldOrAlone(): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected) resolve();
    process.once('message', () => resolve());
    process.once('disconnect', () => resolve());
  });
}

function welcome(config: Config, { url, mail }: Turnout, links: WelcomeLinks, testKey: string): string {
  const base = config.publicUrl.endsWith(':0') ? url : config.publicUrl;
  return [
    '',
    `Turnout answers at ${base}`,
    '',
    ...(links.first === null
      ? []
      : ['Make your organization and your account here (the link works once):', '', `  ${base}${links.first}`, '']),
    ...(links.sandbox === null
      ? []
      : ['Or walk around in the sandbox, as a manager of made-up people:', '', `  ${base}${links.sandbox}`, '']),
    `  App              ${base}/app`,
    ...(config.sandbox ? [`  A public page    ${base}/o/sandbox`] : []),
    `  API              ${base}/v1`,
    `  Reference        ${base}/docs`,
    `  Health           ${base}/readyz`,
    `  Mails are ${mail.describe}`,
    '',
    ...(config.sandbox
      ? [
          'The sandbox is an organization with made-up people. This is its public test key:',
          '',
          `  ${testKey}`,
          '',
          'Your first call:',
          '',
          `  curl -H "Authorization: Bearer ${testKey}" ${base}/v1/me`,
          '',
        ]
      : []),
    'Stop with Ctrl-C.',
    '',
  ].join('\n');
}
