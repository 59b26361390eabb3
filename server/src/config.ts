import { createPublicKey } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, isIP } from 'node:net';
import { join, resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { ConfigError } from './common/config-error.ts';
import { type FilesPlace, filesPlace } from './common/files-place.ts';
import { hostsOf } from './common/several-hosts.ts';
import { SAMPLERS, type TelemetryConfig } from './common/telemetry-config.ts';

export { ConfigError };

export interface Config {
  port: number;
  host: string;
  dataDir: string;
  databaseUrl: string | null;
  databaseDirectUrl: string | null;
  databaseReplicaUrl: string | null;
  files: FilesPlace;
  publicUrl: string;
  scannerUrl: string;
  redisUrl: string | null;
  smtpUrl: string | null;
  mailFrom: string;
  roles: readonly Role[];
  edition: 'hosted' | 'self_hosted';
  licenseKey: string | undefined;
  licensePublicKey: string | undefined;
  webhookAllowedNetworks: string[];
  webhookCaFile: string | null;
  trustedProxies: string[];
  /** The resolvers that are asked for the records of tenant hosts. Empty: those of this machine. */
  dnsServers: string[];
  /** Who may read `/metrics`, apart from this machine itself. */
  metrics: { token: string | null; networks: string[] };
  /** Where a process that serves no requests answers for its metrics and its health. Null: nowhere. */
  metricsAddress: { host: string; port: number } | null;
  /** What is sent to a collector by OTLP. Null: nothing. */
  telemetry: TelemetryConfig | null;
  /** Null: there are no online payments. */
  stripe: { secretKey: string; webhookSecret: string; apiUrl: string | null } | null;
  /** Single sign-on by OpenID Connect. Null: there is none. */
  oidc: { issuer: string; clientId: string; clientSecret: string; name: string } | null;
  secretKey: string | null;
  sandbox: boolean;
  /** Why there is no sandbox, if SANDBOX is not set. */
  sandboxOffBecause: string | null;
  /** Whether anybody may make an organization. */
  signup: 'open' | 'invited';
  /** How often one address may send the form of an event in ten minutes. */
  formSubmissions: number;
  poolSize: number;
  /** How long a process that is to be stopped goes on answering, so that balancers notice, in milliseconds. */
  drainMs: number;
  logLevel: string;
}
export type Role = 'api' | 'worker';
const ROLES: readonly Role[] = ['api', 'worker'];
const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'];

type Env = Record<string, string | undefined>;

export function readConfig(env: Env): Config {
  const text = (name: string): string | null => {
    const value = env[name]?.trim();
    return value === undefined || value === '' ? null : value;
  };
  const number = (name: string, fallback: number, min: number, max: number): number => {
    const value = text(name);
    if (value === null) return fallback;
    if (!/^\d+$/.test(value) || Number(value) < min || Number(value) > max) {
      throw new ConfigError(`${name}=${value} is not a whole number from ${min} to ${max}.`);
    }
    return Number(value);
  };
  const url = (name: string, protocols: readonly string[]): string | null => {
    const value = text(name);
    if (value === null) return null;
    const protocol = /^([a-z][a-z0-9+.-]*):/i.exec(value)?.[1]?.toLowerCase();
    if (protocol === undefined || !protocols.includes(protocol)) {
      throw new ConfigError(
        `${name} must be an address that starts with ${protocols.map((p) => `${p}://`).join(' or ')}.`,
      );
    }
    // The address of a database behind a unix socket has no host: postgres://user@/name?host=/run/postgresql
    // Several servers are separated by commas: each is looked at by itself.
    const each = hostsOf(value.replace('@/', '@host/'));
    if (!each.every((one) => URL.canParse(one))) {
      throw new ConfigError(
        `${name} is not a valid address. In a password, write @ : / ? # % as %40 %3A %2F %3F %23 %25.`,
      );
    }
    return value.replace(/(?<!\/)\/+$/, '');
  };
  const oneOf = <T extends string>(name: string, values: readonly T[], fallback: T): T => {
    const value = text(name);
    if (value === null) return fallback;
    if (!values.includes(value as T)) throw new ConfigError(`${name}=${value} is not one of: ${values.join(', ')}.`);
    return value as T;
  };
  const list = (name: string): string[] =>
    (text(name) ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  const networks = (name: string): string[] =>
    list(name).map((network) => {
      const good = network.includes('/') ? ipaddr.isValidCIDR(network) : ipaddr.isValid(network);
      if (!good) throw new ConfigError(`${name}: ${network} is not an address or a range such as 10.0.0.0/8.`);
      return network;
    });

  const port = number('PORT', 3000, 0, 65_535);
  const dataDir = resolve(text('DATA_DIR') ?? 'data');
  const roles = text('ROLES') === null ? ROLES : (list('ROLES') as Role[]);
  if (roles.length === 0) throw new ConfigError(`ROLES is empty. Set it to one or more of: ${ROLES.join(', ')}.`);
  for (const role of roles)
    if (!ROLES.includes(role))
      throw new ConfigError(`ROLES: ${role} is not a role. Set it to one or more of: ${ROLES.join(', ')}.`);
  const publicUrl = url('PUBLIC_URL', ['http', 'https']) ?? `http://localhost:${port}`;
  const host = text('HOST') ?? '127.0.0.1';
  const exposed = exposure(host, publicUrl);
  const postgres = ['postgres', 'postgresql'];
  const databaseUrl = url('DATABASE_URL', postgres);
  const caFile = text('WEBHOOK_CA_FILE');
  if (caFile !== null && !existsSync(caFile)) throw new ConfigError(`WEBHOOK_CA_FILE: there is no file ${caFile}.`);
  return {
    port,
    host,
    dataDir,
    databaseUrl,
    databaseDirectUrl: url('DATABASE_DIRECT_URL', postgres) ?? databaseUrl,
    databaseReplicaUrl: url('DATABASE_REPLICA_URL', postgres),
    files: filesPlace(text('FILES_URL') ?? join(dataDir, 'files'), text('AWS_REGION') ?? undefined),
    publicUrl,
    scannerUrl: url('SCANNER_URL', ['http', 'https']) ?? publicUrl,
    redisUrl: url('REDIS_URL', ['redis', 'rediss', 'redis+sentinel', 'rediss+sentinel']),
    smtpUrl: url('SMTP_URL', ['smtp', 'smtps']),
    mailFrom: text('MAIL_FROM') ?? 'Turnout <no-reply@localhost>',
    roles,
    edition: oneOf('EDITION', ['hosted', 'self_hosted'], 'hosted'),
    licenseKey: text('LICENSE_KEY') ?? undefined,
    licensePublicKey: publicKey(text('LICENSE_PUBLIC_KEY')),
    webhookAllowedNetworks: networks('WEBHOOK_ALLOWED_NETWORKS'),
    webhookCaFile: caFile,
    trustedProxies: networks('TRUSTED_PROXIES'),
    dnsServers: list('DNS_SERVERS').map(dnsServer),
    metrics: { token: metricsToken(text('METRICS_TOKEN')), networks: networks('METRICS_NETWORKS') },
    metricsAddress:
      text('METRICS_PORT') === null
        ? null
        : { host: text('METRICS_HOST') ?? '127.0.0.1', port: number('METRICS_PORT', 0, 0, 65_535) },
    telemetry: telemetry({ text, number, oneOf, url }),
    stripe: stripe(text('STRIPE_SECRET_KEY'), text('STRIPE_WEBHOOK_SECRET'), url('STRIPE_API_URL', ['https', 'http'])),
    oidc: oidc({
      // As it was given: to a provider, an issuer with a slash at the end is another one than the same without.
      issuer: url('OIDC_ISSUER', ['https', 'http']) && text('OIDC_ISSUER'),
      clientId: text('OIDC_CLIENT_ID'),
      clientSecret: text('OIDC_CLIENT_SECRET'),
      name: text('OIDC_NAME'),
    }),
    secretKey: secret(text('SECRET_KEY')),
    sandbox: oneOf('SANDBOX', ['on', 'off'], exposed === null ? 'on' : 'off') === 'on',
    sandboxOffBecause: text('SANDBOX') === null ? exposed : null,
    signup: oneOf('SIGNUP', ['open', 'invited'], 'invited'),
    formSubmissions: number('FORM_SUBMISSIONS', 30, 1, 1_000_000),
    poolSize: number('DATABASE_POOL', 20, 2, 500),
    drainMs: 1000 * number('DRAIN_SECONDS', databaseUrl === null ? 0 : 5, 0, 600),
    logLevel: oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
  };
}

export const SANDBOX_ON = 'Set SANDBOX=on to have it.';

/** Why other machines can reach this installation, or null if they cannot. Everybody knows the key of the sandbox. */
function exposure(host: string, publicUrl: string): string | null {
  if (!isLoopback(host)) return `HOST=${host} can be reached from other machines`;
  if (!isLoopback(URL.parse(publicUrl)?.hostname ?? ''))
    return `PUBLIC_URL=${publicUrl} can be reached from other machines`;
  return null;
}

interface Read {
  text(name: string): string | null;
  number(name: string, fallback: number, min: number, max: number): number;
  oneOf<T extends string>(name: string, values: readonly T[], fallback: T): T;
  url(name: string, protocols: readonly string[]): string | null;
}

/** The usual variables of OpenTelemetry, as far as its exporters do not read them themselves. */
function telemetry({ text, number, oneOf, url }: Read): TelemetryConfig | null {
  const endpoint = url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http', 'https']);
  if (endpoint === null || text('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return null;
  for (const signal of ['', 'TRACES_', 'METRICS_'])
    oneOf(`OTEL_EXPORTER_OTLP_${signal}PROTOCOL`, ['http/protobuf'], 'http/protobuf');
  const exported = (name: string) => oneOf(name, ['otlp', 'none'], 'otlp') === 'otlp';
  const sampler = oneOf('OTEL_TRACES_SAMPLER', SAMPLERS, 'parentbased_always_on');
  const ratio = Number(text('OTEL_TRACES_SAMPLER_ARG') ?? 1);
  if (sampler.endsWith('traceidratio') && !(ratio >= 0 && ratio <= 1))
    throw new ConfigError(`OTEL_TRACES_SAMPLER_ARG=${text('OTEL_TRACES_SAMPLER_ARG')} is not a number from 0 to 1.`);
  const maxQueueSize = number('OTEL_BSP_MAX_QUEUE_SIZE', 2048, 1, 100_000);
  return {
    traces: exported('OTEL_TRACES_EXPORTER'),
    metrics: exported('OTEL_METRICS_EXPORTER'),
    sampler,
    ratio,
    spansPerSecond: number('TRACE_SPANS_PER_SECOND', 1000, 1, 100_000),
    batches: {
      scheduledDelayMillis: number('OTEL_BSP_SCHEDULE_DELAY', 5000, 1, 3_600_000),
      maxQueueSize,
      maxExportBatchSize: Math.min(maxQueueSize, number('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512, 1, 10_000)),
    },
    metricsEveryMs: number('OTEL_METRIC_EXPORT_INTERVAL', 60_000, 100, 3_600_000),
  };
}

export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  return ipaddr.isValid(name) && ipaddr.process(name).range() === 'loopback';
}

function stripe(secretKey: string | null, webhookSecret: string | null, apiUrl: string | null): Config['stripe'] {
  if (secretKey === null) return null;
  if (!/^(sk|rk)_\S+$/.test(secretKey)) {
    throw new ConfigError(
      'STRIPE_SECRET_KEY must be a secret or restricted key of Stripe; such keys start with sk_ or rk_.',
    );
  }
  // Without it we would not hear of payments: people would pay, and their registrations would stay unconfirmed.
  if (webhookSecret === null || !/^whsec_\S+$/.test(webhookSecret)) {
    throw new ConfigError(
      'STRIPE_WEBHOOK_SECRET must be set together with STRIPE_SECRET_KEY. It is the signing secret of the webhook endpoint at Stripe and starts with whsec_.',
    );
  }
  return { secretKey, webhookSecret, apiUrl };
}

function oidc(given: Record<'issuer' | 'clientId' | 'clientSecret' | 'name', string | null>): Config['oidc'] {
  const { issuer, clientId, clientSecret, name } = given;
  if (issuer === null && clientId === null && clientSecret === null) {
    if (name !== null)
      throw new ConfigError(
        'OIDC_NAME is set without OIDC_ISSUER. Set both, or neither (docs/operating/single-sign-on.md).',
      );
    return null;
  }
  if (issuer === null || clientId === null || clientSecret === null) {
    const names = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };
    const missing = Object.entries(names).flatMap(([one, value]) => (value === null ? [one] : []));
    throw new ConfigError(
      `Single sign-on needs OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, and ${missing.join(' and ')} is not set.`,
    );
  }
  const { protocol, hostname, host, search, hash, pathname } = new URL(issuer);
  if (protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname)) {
    throw new ConfigError('OIDC_ISSUER must start with https://. Only a provider on this machine may use http://.');
  }
  if (search !== '' || hash !== '' || pathname.includes('/.well-known/')) {
    throw new ConfigError('OIDC_ISSUER must be the issuer alone, without /.well-known/openid-configuration, ? and #.');
  }
  if (hostname === 'login.microsoftonline.com' && /^\/(common|organizations|consumers)(\/|$)/.test(pathname)) {
    throw new ConfigError(
      'OIDC_ISSUER must name one directory of Microsoft, as in https://login.microsoftonline.com/DIRECTORY-ID/v2.0. This one lets in everybody who has a Microsoft account.',
    );
  }
  if (name !== null && name.length > 60) throw new ConfigError('OIDC_NAME must have at most 60 characters.');
  return { issuer, clientId, clientSecret, name: name ?? host };
}

function dnsServer(text: string): string {
  const [, bracketed, named, port] = /^(?:\[([^\]]*)\]|([^[\]:]*))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const good =
    isIP(text) === 6 || ((isIP(bracketed ?? '') === 6 || isIP(named ?? '') === 4) && Number(port ?? 53) < 65_536);
  if (!good) {
    throw new ConfigError(
      `DNS_SERVERS: ${text} is not an address such as 192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:5353.`,
    );
  }
  return text;
}

function metricsToken(value: string | null): string | null {
  if (value !== null && !/^[\x21-\x7e]{16,500}$/.test(value)) {
    throw new ConfigError(
      'METRICS_TOKEN must have at least 16 characters and no spaces. `openssl rand -hex 32` makes one.',
    );
  }
  return value;
}

function secret(value: string | null): string | null {
  if (value !== null && Buffer.from(value, 'base64').length < 32) {
    throw new ConfigError(
      'SECRET_KEY must be at least 32 random bytes in base64. `openssl rand -base64 32` makes one.',
    );
  }
  return value;
}

function publicKey(value: string | null): string | undefined {
  if (value === null) return undefined;
  try {
    const der = { key: Buffer.from(value, 'base64'), format: 'der', type: 'spki' } as const;
    if (createPublicKey(value.includes('BEGIN') ? value : der).asymmetricKeyType === 'ed25519') return value;
  } catch {
    // the text is not a key at all
  }
  throw new ConfigError(
    'LICENSE_PUBLIC_KEY is not a valid public key. Set it to the one that `turnout license keygen` printed.',
  );
}

/**
 * Makes DATA_DIR and the folder of files if needed, and checks that both can be written to. If database, key, e-mails and files are all
 * elsewhere, nothing is written, and a container may have no writable folder at all.
 */
export function requireDataDir(config: Config): void {
  const { databaseUrl, secretKey, smtpUrl } = config;
  if (databaseUrl === null || secretKey === null || smtpUrl === null) requireFolder('DATA_DIR', config.dataDir);
  if ('folder' in config.files) requireFolder('FILES_URL', config.files.folder);
}

function requireFolder(name: string, folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const probe = join(folder, `.writable-${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    throw new ConfigError(
      `${name} ${folder} is not writable (${(error as { code?: string }).code}). Choose another folder.`,
    );
  }
}

/** Checks that the port is free. This runs before anything is made or migrated, so that a start on a taken port changes nothing. */
export function requirePort(config: Config): Promise<void> {
  const { port, host } = config;
  return new Promise((done, refuse) => {
    const probe = createServer();
    probe.once('error', ({ code }: NodeJS.ErrnoException) =>
      refuse(
        new ConfigError(
          code === 'EADDRINUSE'
            ? `Port ${port} is taken. Stop what runs there, or set PORT to another one.`
            : `Cannot listen on ${host}, port ${port} (${code}). Check HOST and PORT.`,
        ),
      ),
    );
    probe.listen(port, host, () => probe.close(() => done()));
  });
}

/** The secret of the installation: SECRET_KEY, which machines that share a database need, else a file made on the first start. */
export function masterSecret(config: Config, random: () => Buffer): Buffer {
  if (config.secretKey !== null) return Buffer.from(config.secretKey, 'base64');
  const file = join(config.dataDir, 'secret.key');
  if (!existsSync(file)) {
    // A link is made completely or not at all. If two processes start at once, both use the file of the first one.
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, random().toString('base64'), { mode: 0o600, flush: true });
    try {
      linkSync(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft);
    }
  }
  const secret = Buffer.from(readFileSync(file, 'utf8'), 'base64');
  if (secret.length < 32)
    throw new ConfigError(`${file} is damaged. Restore it from a backup, or set SECRET_KEY to the key that it held.`);
  return secret;
}
