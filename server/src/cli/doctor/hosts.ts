import { DAY } from '../../clock.ts';
import { inTime } from '../../common/in-time.ts';
import { isLoopback } from '../../config.ts';
import { parseNetworks, vet } from '../../outside/addresses.ts';
import { systemResolver } from '../../outside/https/names.ts';
import { sql } from '../../store/sql.ts';
import type { Check, Context } from './check.ts';
import { hostOf } from './context.ts';
import { type AskedPage, askPage, type Certificate } from './page.ts';
import { count, failed, messageOf, ok, type Verdict, warning } from './verdict.ts';

const LIMIT_MS = 11_000;
const SOON = 14 * DAY;

const daysUntil = (at: Date, now: Date): number => Math.floor((at.getTime() - now.getTime()) / DAY);

/** What is wrong with a certificate, if anything is. */
function ofCertificate({ fault, expires }: Certificate, host: string, now: Date): Verdict | null {
  if (expires.getTime() <= now.getTime())
    return failed(
      `The certificate of ${host} expired on ${dateOf(expires)}.`,
      'Renew it, and look why it was not renewed.',
    );
  if (fault !== null)
    return failed(
      `Browsers refuse the certificate of ${host}: ${fault}.`,
      'Let the proxy get one for this name from an authority that browsers trust. For an authority of your own, set NODE_EXTRA_CA_CERTS.',
    );
  if (expires.getTime() - now.getTime() < SOON)
    return warning(
      `The certificate of ${host} expires in ${count(daysUntil(expires, now), 'day')}.`,
      'Look why it was not renewed yet.',
    );
  return null;
}
const dateOf = (at: Date): string =>
  Number.isNaN(at.getTime()) ? 'a day that cannot be read' : at.toISOString().slice(0, 10);

const publicUrl: Check = {
  name: 'PUBLIC_URL',
  group: 'hosts',
  limitMs: LIMIT_MS,
  run: async (context) => ofOwn(context, context.config.publicUrl, context.ownPage()),
};

const scannerUrl: Check = {
  name: 'SCANNER_URL',
  group: 'hosts',
  limitMs: LIMIT_MS,
  run: async (context) => {
    const { config, options, clock } = context;
    if (config.scannerUrl === config.publicUrl) return [];
    const url = new URL(`${config.scannerUrl}/readyz`);
    const asked = context
      .addresses(hostOf(url))
      .then((addresses) => askPage(url, { addresses, ca: options.ca, ms: 5_000, now: () => clock.now() }));
    return ofOwn(context, config.scannerUrl, asked);
  },
};

async function ofOwn({ clock }: Context, address: string, asked: Promise<AskedPage>): Promise<Verdict> {
  const url = new URL(address);
  const isLocal = isLoopback(url.hostname);
  const page = await asked.catch((error: Error) => error);
  if (page instanceof Error) {
    if (isLocal)
      return warning(
        `Nobody answers at ${address} (${page.message}).`,
        'Start Turnout, or give this command the server’s PORT or PUBLIC_URL.',
      );
    return failed(
      `Nobody answers at ${address}: ${page.message}.`,
      'Look whether the name leads to the proxy, and whether the proxy and Turnout run.',
    );
  }
  const wrong = page.certificate === null ? null : ofCertificate(page.certificate, url.hostname, clock.now());
  if (wrong?.state === 'failed') return wrong;
  if (!page.isOurs)
    return failed(
      `Something else than Turnout answers at ${address} (status ${page.status}).`,
      'Look where the name leads, and what the proxy does with /readyz.',
    );
  if (page.status !== 200)
    return failed(
      `Turnout answers at ${address}, and says that it is not ready: ${page.body}`,
      'See the other findings, and the log of that process.',
    );
  if (wrong !== null) return wrong;
  if (url.protocol === 'http:' && !isLocal)
    return warning(
      `${address} is not https://, so scanners have no camera there and cookies are not protected.`,
      'Put a proxy with a certificate in front, and set PUBLIC_URL to its address.',
    );
  const until = page.certificate === null ? '' : `, with a certificate until ${dateOf(page.certificate.expires)}`;
  return ok(`Turnout answers at ${address}${until}.`);
}

/** More hosts are not asked in one go, so that it ends in time. */
const MAX_HOSTS = 200;
const AT_ONCE = 100;
const HOST_MS = 4_500;

interface TenantHost {
  host: string;
  org: string;
}

const organizations: Check = {
  name: 'hosts of organizations',
  group: 'hosts',
  limitMs: 13_000,
  run: async (context) => {
    const { read } = await context.database();
    const { hosts, proved, contested } = await read(async (tx) => ({
      hosts: await tx.all<TenantHost>(sql`
        select h.host, o.code as org from tenant_hosts h join organizations o on o.id = h.org_id
        where h.state = 'proved' order by h.host is not distinct from o.page_host desc, h.proved_at desc, h.host limit ${MAX_HOSTS}`),
      ...(await tx.one<{ proved: number; contested: number }>(sql`
        select count(*) filter (where state = 'proved')::int as proved, count(*) filter (where state = 'contested')::int as contested
        from tenant_hosts`)),
    }));
    const own = await ownAddresses(context);
    const verdicts = await askAll(context, hosts, own);
    const bad = verdicts.filter((one) => one.state !== 'ok');
    const left = proved - hosts.length;
    const sum = `${count(verdicts.length, 'host')} asked, ${verdicts.length - bad.length} in order${left > 0 ? `; ${left} more were left out` : ''}.`;
    const disputed =
      contested === 0
        ? []
        : [
            warning(
              `${count(contested, 'host')} of organizations ${contested === 1 ? 'is' : 'are'} contested.`,
              'Run `turnout host list`, and decide with `turnout host prove`.',
            ),
          ];
    return [proved === 0 ? ok('No organization has one.') : ok(sum), ...bad, ...disputed];
  },
};

/** The addresses of this installation. It may be in a network of its own, and its hosts then are, too. */
async function ownAddresses({ config, addresses }: Context): Promise<string[]> {
  const hosts = [config.publicUrl, config.scannerUrl].map((url) => hostOf(new URL(url)));
  const found = await Promise.all(hosts.map((host) => addresses(host).catch(() => [])));
  return [...new Set(found.flat())];
}

async function askAll(context: Context, hosts: readonly TenantHost[], own: readonly string[]): Promise<Verdict[]> {
  const { options, config } = context;
  const resolve = options.resolve ?? systemResolver(config.dnsServers.length > 0 ? { servers: config.dnsServers } : {});
  const verdicts: Verdict[] = [];
  const line = [...hosts];
  const work = async () => {
    for (let next = line.shift(); next !== undefined; next = line.shift()) {
      const verdict = await ofTenant(context, next, own, resolve);
      verdicts.push({
        ...verdict,
        check: `host ${next.host}`,
        says: `${verdict.says.replace(/\.$/, '')} (${next.org}).`,
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, hosts.length) }, work));
  return verdicts;
}

/**
 * Whoever proves a host decides where its name leads. So it is asked only at public addresses and at those of the installation itself, on
 * the port of https, and nothing that it answers is told.
 */
async function ofTenant(
  { clock, options }: Context,
  { host }: TenantHost,
  own: readonly string[],
  resolve: ReturnType<typeof systemResolver>,
): Promise<Verdict> {
  const remedy = 'Tell the organization: the name must lead to this installation (docs/guides/own-host.md).';
  const found = await inTime(HOST_MS, resolve(host)).catch(() => null);
  if (found === null || found.length === 0) return warning(`${host} does not resolve`, remedy);
  const vetted = vet(
    found.map(({ address }) => address),
    parseNetworks([...own]),
  );
  if ('refused' in vetted)
    return warning(`${host} leads to an address that is not public, so it was not asked`, remedy);
  const leadsHere = vetted.some(({ address }) => own.includes(address));
  const url = new URL(`https://${host}:${options.port ?? 443}/`);
  const asking = {
    addresses: vetted.map(({ address }) => address),
    ca: options.ca,
    ms: HOST_MS,
    now: () => clock.now(),
  };
  const page = await askPage(url, asking).catch((error: Error) => error);
  if (page instanceof Error) {
    const verdict = leadsHere ? failed : warning;
    return verdict(
      `${host} leads ${leadsHere ? 'here' : 'elsewhere'}, and nobody answers: ${messageOf(page)}`,
      leadsHere ? 'Let the proxy accept this name, with a certificate for it.' : remedy,
    );
  }
  const wrong = page.certificate === null ? null : ofCertificate(page.certificate, host, clock.now());
  // Where the name leads elsewhere, somebody else looks after the certificate.
  if (wrong !== null && (leadsHere || page.isOurs)) return wrong;
  if (page.isOurs && page.status < 500) return ok(`${host} answers`);
  if (page.isOurs) return failed(`${host} answers ${page.status}`, 'Look at the log.');
  if (leadsHere)
    return failed(
      `${host} leads here, and something else than Turnout answers`,
      'Let the proxy pass this name on to Turnout, with the header Host as it came.',
    );
  return warning(`${host} leads elsewhere, and something else than Turnout answers`, remedy);
}

export const hostChecks: readonly Check[] = [publicUrl, scannerUrl, organizations];
