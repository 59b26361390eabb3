import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Secrets } from '../common/secrets.ts';
import type { Config } from '../config.ts';
import { Dns } from '../outside/dns.ts';
import { eventbrite } from '../outside/eventbrite.ts';
import { Outbound } from '../outside/https.ts';
import { fileTransport, type MailTransport, smtpTransport } from '../outside/mail.ts';
import { Oidc } from '../outside/oidc.ts';
import { openFiles } from '../outside/open-files.ts';
import { Platforms } from '../outside/platforms.ts';
import { stripeProvider } from '../outside/stripe.ts';
import type { Outside } from '../road/operation.ts';
import type { StartOptions, Stops } from './startup.ts';

/** What operations may use of the adapters, and for the mailer the whole transport. */
export type Adapters = Outside & { mail: MailTransport };

/** Makes the adapters to everything that is not PostgreSQL, as the configuration says. */
export async function makeAdapters(
  config: Config,
  options: StartOptions,
  { clock, secrets }: { clock: Clock; secrets: Secrets },
  stops: Stops,
): Promise<Adapters> {
  const payments = options.payments ?? (config.stripe && (await stripeProvider({ ...config.stripe, clock })));
  const webhooks = options.webhooks ?? outboundOf(config);
  stops.push(() => webhooks.close());
  const files = options.files ?? (await openFiles(config.files));
  stops.push(async () => files.close?.());
  return {
    mail: options.mail ?? mailOf(config),
    payments,
    files,
    webhooks,
    oidc: config.oidc && new Oidc({ ...config.oidc, clock, redirectUri: `${config.publicUrl}/app/-/oidc/callback` }),
    dns: new Dns(config.dnsServers),
    platforms: new Platforms({ eventbrite: options.eventbrite ?? eventbrite() }, secrets),
  };
}

const mailOf = ({ smtpUrl, dataDir, mailFrom }: Config): MailTransport =>
  smtpUrl === null ? fileTransport(join(dataDir, 'mails'), mailFrom) : smtpTransport(smtpUrl, mailFrom);

function outboundOf({ webhookCaFile, webhookAllowedNetworks }: Config): Outbound {
  return new Outbound({
    allowedNetworks: webhookAllowedNetworks,
    ...(webhookCaFile !== null && { ca: readFileSync(webhookCaFile, 'utf8') }),
  });
}
