import { isIP } from 'node:net';
import pg from 'pg';
import { hostsOf } from '../../common/several-hosts.ts';
import type { Config } from '../../config.ts';
import { apart, NoAnswer } from './apart.ts';
import type { NameFound } from './apart-answers.ts';
import type { Context, Options } from './check.ts';
import { type Database, type Opened, openDatabase } from './open.ts';
import { type AskedPage, askPage } from './page.ts';
import { NotChecked } from './verdict.ts';

const NAMES_MS = 6_000;
const PAGE_MS = 5_000;
/** Where a host may not be asked for as such: an embedded database, or one behind a socket. */
const isName = (host: string): boolean => host !== '' && !host.startsWith('/') && isIP(host) === 0;

export interface OwnContext extends Context {
  opened(): Promise<Opened>;
  close(): Promise<void>;
}

export function makeContext(config: Config, options: Options): OwnContext {
  const names = once(() => lookUp(hostsIn(config)));
  const opened = once(() => openDatabase(config, { ...context, isPatient: options.patient === true }));
  let hasOpened = false;
  const context: OwnContext = {
    ...{ config, options, clock: options.clock },
    opened: () => {
      hasOpened = true;
      return opened();
    },
    database: async (): Promise<Database> => {
      const { database } = await context.opened().catch(() => ({ database: null }));
      if (database === null) throw new NotChecked('the database cannot be asked');
      return database;
    },
    addresses: async (host) => {
      if (!isName(host)) return [host];
      const found = (await names()).get(host);
      if (found === undefined) throw new Error(`the name ${host} was not resolved in ${NAMES_MS / 1000} s`);
      if ('fault' in found) throw new Error(`the name ${host} does not resolve (${found.fault})`);
      return found.addresses;
    },
    ownPage: once(async (): Promise<AskedPage> => {
      const url = new URL(`${config.publicUrl}/readyz`);
      const addresses = await context.addresses(hostOf(url));
      return askPage(url, { addresses, ca: options.ca, ms: PAGE_MS, now: () => options.clock.now() });
    }),
    close: async () => {
      if (hasOpened) await (await opened()).close();
    },
  };
  return context;
}

export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

/** The hosts that the configuration names. Libraries ask the system for them, which may take any time. */
function hostsIn(config: Config): string[] {
  const { databaseUrl, databaseDirectUrl, databaseReplicaUrl, redisUrl, smtpUrl, publicUrl, scannerUrl } = config;
  const databases = [databaseUrl, databaseDirectUrl, databaseReplicaUrl].flatMap((url) =>
    url === null ? [] : hostsOf(url),
  );
  const others = [redisUrl, smtpUrl, publicUrl, scannerUrl].flatMap((url) => (url === null ? [] : hostsOf(url)));
  const hosts = [...databases.map((url) => new pg.Client(url).host), ...others.map((url) => hostOf(new URL(url)))];
  return [...new Set(hosts)].filter(isName);
}

async function lookUp(hosts: string[]): Promise<Map<string, NameFound>> {
  const found = new Map<string, NameFound>();
  if (hosts.length === 0) return found;
  const keep = (part: NameFound) => void found.set(part.host, part);
  await apart<null>('names', hosts, NAMES_MS, keep as (part: never) => void).catch((error) => {
    // What came until then counts.
    if (!(error instanceof NoAnswer)) throw error;
  });
  return found;
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}
