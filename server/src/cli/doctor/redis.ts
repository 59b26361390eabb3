import { Redis } from 'ioredis';
import { openRedis, sentinelsOf } from '../../start/budgets.ts';
import type { Check } from './check.ts';
import { failed, messageOf, ok, type Verdict, warning } from './verdict.ts';

const LIMIT_MS = 8_000;
const PAGE = 'docs/operating/database.md';
const WITHOUT = 'PostgreSQL counts instead meanwhile, from zero. A process that is started now does not start.';

const fieldsOf = (info: string): Map<string, string> =>
  new Map(
    info
      .split(/\r?\n/)
      .flatMap((line) =>
        line.includes(':') ? [[line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)] as const] : [],
      ),
  );

const redis: Check = {
  name: 'redis',
  group: 'redis',
  limitMs: LIMIT_MS,
  run: async ({ config, addresses }) => {
    const { redisUrl } = config;
    if (redisUrl === null)
      return ok(
        `There is none: ${config.databaseUrl === null ? 'the process itself' : 'PostgreSQL'} counts the calls of each key.`,
      );
    const sentinels = sentinelsOf(redisUrl);
    const told =
      sentinels === null
        ? []
        : await Promise.all(sentinels.sentinels.map((one) => askSentinel(one, sentinels.name, addresses)));
    if (sentinels === null) {
      const fault = await addresses(new URL(redisUrl).hostname).then(() => null, messageOf);
      if (fault !== null) return failed(`Redis cannot be reached: ${fault}.`, `Check REDIS_URL. ${WITHOUT}`);
    }
    const client = openRedis(redisUrl);
    try {
      await client.connect();
      return [...told, ...(await lookAt(client))];
    } catch (error) {
      return [
        ...told,
        failed(`Redis does not answer: ${messageOf(error)}.`, `Check REDIS_URL, and that Redis runs. ${WITHOUT}`),
      ];
    } finally {
      client.disconnect();
    }
  },
};

async function lookAt(client: Redis): Promise<Verdict[]> {
  const info = fieldsOf(await client.info());
  const version = info.get('valkey_version') ?? info.get('redis_version') ?? '?';
  const name = info.has('valkey_version') ? 'Valkey' : 'Redis';
  if (Number.parseInt(info.get('redis_version') ?? '', 10) < 7)
    return [failed(`It is ${name} ${version}.`, 'Turnout needs Redis 7 or newer, or Valkey.')];
  if (info.get('role') !== 'master')
    return [
      failed(
        `${name} ${version} is a replica and takes no writes.`,
        'Name the primary in REDIS_URL, or let Sentinel find it (redis+sentinel://).',
      ),
    ];
  return [ok(`${name} ${version} answers and takes writes.`), eviction(info)];
}

/** What Redis counts must not disappear before its minute is over. */
function eviction(info: Map<string, string>): Verdict {
  const policy = info.get('maxmemory_policy') ?? 'noeviction';
  const [limit, used] = ['maxmemory', 'used_memory'].map((name) => Number(info.get(name) ?? 0)) as [number, number];
  const check = 'redis memory';
  if (limit === 0) return { ...ok('It has no limit, so nothing is evicted.'), check };
  if (policy !== 'noeviction')
    return {
      ...warning(
        `With maxmemory-policy ${policy} a full Redis forgets counts, and then a key may have more calls than its rate.`,
        `Give Turnout a Redis of its own with maxmemory-policy noeviction (${PAGE}).`,
      ),
      check,
    };
  if (used > 0.9 * limit)
    return {
      ...warning(
        `${Math.round((100 * used) / limit)} % of its memory is used. Once it is full, PostgreSQL counts instead.`,
        'Raise maxmemory, or look what else uses this Redis.',
      ),
      check,
    };
  return { ...ok('Nothing is evicted (noeviction).'), check };
}

async function askSentinel(
  { host, port }: { host: string; port: number },
  name: string,
  addresses: (host: string) => Promise<string[]>,
): Promise<Verdict> {
  const check = `sentinel ${host}:${port}`;
  const client = new Redis({
    host,
    port,
    lazyConnect: true,
    maxRetriesPerRequest: 1,
    connectTimeout: 2_000,
    retryStrategy: () => null,
  });
  client.on('error', () => {});
  try {
    await addresses(host);
    await client.connect();
    const primary = (await client.call('SENTINEL', 'get-master-addr-by-name', name)) as [string, string] | null;
    if (primary === null)
      return { ...failed(`It knows no primary called ${name}.`, 'Correct the name at the end of REDIS_URL.'), check };
    return { ...ok(`It says that ${primary.join(':')} is the primary called ${name}.`), check };
  } catch (error) {
    return {
      ...warning(
        `It does not answer: ${messageOf(error)}.`,
        'The others can still say which server is the primary. Bring it back.',
      ),
      check,
    };
  } finally {
    client.disconnect();
  }
}

export const redisChecks: readonly Check[] = [redis];
