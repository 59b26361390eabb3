import { enableCompileCache } from 'node:module';

enableCompileCache();
const { PUBLIC_TEST_KEY, DatabaseRefused, startTurnout } = await import('./app.ts');
const { ConfigError, readConfig } = await import('./config.ts');
const { EmbeddedError } = await import('./embedded/index.ts');

/** Starts what ROLES says, prints what to do next, stops cleanly on SIGTERM and Ctrl-C. */
const say = (line: string) => process.stderr.write(`turnout: ${line}\n`);

function fail(error: unknown): never {
  const { code, message } = error as { code?: string; message: string };
  const known = error instanceof ConfigError || error instanceof EmbeddedError || error instanceof DatabaseRefused;
  const unreachable = [
    'ECONNREFUSED',
    'ENOTFOUND',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    '28P01',
    '28000',
    '3D000',
    '57P03',
  ].includes(code ?? '');
  if (known) say(message);
  else if (unreachable) say(`The database cannot be reached (${message || code}). Check DATABASE_URL.`);
  else say((error as Error).stack ?? String(error));
  process.exit(1);
}

try {
  const config = readConfig(process.env);
  const turnout = await startTurnout(config, { progress: say });
  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) {
      say('stopping already; a moment, please');
      return;
    }
    stopping = true;
    say(`${signal}: finishing what runs`);
    turnout.stop().then(
      () => {
        say('stopped');
        process.exit(0);
      },
      (error) => fail(error),
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('Ctrl-C'));
  const base = config.publicUrl;
  if (config.roles.includes('api')) {
    process.stdout.write(
      [
        '',
        `Turnout answers at ${base}`,
        '',
        `  API              ${base}/v1`,
        `  Reference        ${base}/docs`,
        `  Health           ${base}/readyz`,
        `  Mails are ${turnout.mail.describe}`,
        '',
        ...(config.sandbox
          ? [
              'A sandbox organization of made-up people is there to try; this is its public test key:',
              '',
              `  ${PUBLIC_TEST_KEY}`,
              '',
              'Your first call:',
              '',
              `  curl -H "Authorization: Bearer ${PUBLIC_TEST_KEY}" ${base}/v1/me`,
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
      ].join('\n'),
    );
  } else say('working in the background (ROLES=worker)');
} catch (error) {
  fail(error);
}
