import pg from 'pg';
import { hostsOf } from '../../common/several-hosts.ts';
import type { Config } from '../../config.ts';

/** Messages of servers are no place for long texts. */
const MAX_TEXT = 500;
/** Shorter ones are in every other word. Whoever has such a password has another problem. */
const MIN_SECRET = 4;

/**
 * Takes every secret of the configuration out of a text, and whatever a terminal would not show as text. Messages of other programs may
 * repeat anything that they were sent.
 */
export function withoutSecrets(config: Config, env: NodeJS.ProcessEnv = process.env): (text: string) => string {
  const secrets = [
    ...[
      config.databaseUrl,
      config.databaseDirectUrl,
      config.databaseReplicaUrl,
      config.redisUrl,
      config.smtpUrl,
    ].flatMap(passwordsIn),
    ...[config.databaseUrl, config.databaseDirectUrl, config.databaseReplicaUrl].flatMap((url) =>
      (url === null ? [] : hostsOf(url)).map(asRead),
    ),
    ...[config.secretKey, config.metrics.token, config.licenseKey, config.oidc?.clientSecret],
    ...[config.stripe?.secretKey, config.stripe?.webhookSecret],
    ...[env.AWS_SECRET_ACCESS_KEY, env.AWS_SESSION_TOKEN, env.PGPASSWORD],
  ].filter((one): one is string => typeof one === 'string' && one.length >= MIN_SECRET);
  // A secret that is the beginning of another one must not leave the rest of that one.
  secrets.sort((a, b) => b.length - a.length);
  return (text) => {
    const plain = secrets.reduce((left, secret) => left.replaceAll(secret, '***'), text);
    return plain.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').slice(0, MAX_TEXT);
  };
}

/** Its driver also finds a password among the parameters of an address. */
const asRead = (url: string): string | null => new pg.Client(url).password ?? null;

/** As they are written in the address, and as they are sent. */
function passwordsIn(address: string | null): string[] {
  if (address === null) return [];
  return hostsOf(address.replace('@/', '@host/')).flatMap((one) => {
    const { password } = new URL(one);
    if (password === '') return [];
    const sent = decodeURIComponent(password);
    return [password, sent, Buffer.from(sent).toString('base64')];
  });
}
