import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { type Config, ConfigError } from '../config.ts';
import { Batches, MemoryBatches, PostgresBatches, RedisBatches } from '../road/gate/batches.ts';
import { MemoryRates, PostgresRates, type RateStore, RedisRates } from '../road/gate/rates.ts';
import { Spare, SpareBatches, SpareRates } from '../road/gate/spare.ts';
import type { Pool } from '../store/pool.ts';
import type { Stops } from './startup.ts';

export interface Budgets {
  rates: RateStore;
  batches: Batches;
}

/**
 * Where the calls of each key and the batch of each device are counted, so that all processes count together: in Redis if there is
 * one, else in PostgreSQL. Memory serves only with the embedded database, which has one process.
 */
export async function makeBudgets(
  config: Config,
  { pool, clock, log }: { pool: Pool; clock: Clock; log: Logger },
  stops: Stops,
): Promise<Budgets> {
  if (config.redisUrl !== null) {
    const redis = await connectRedis(config.redisUrl);
    stops.push(async () => redis.disconnect());
    const spare = new Spare(log);
    return {
      rates: new SpareRates(spare, new RedisRates(redis, clock), new PostgresRates(pool, clock)),
      batches: new Batches(new SpareBatches(spare, new RedisBatches(redis), new PostgresBatches(pool, clock))),
    };
  }
  return config.databaseUrl === null
    ? { rates: new MemoryRates(clock), batches: new Batches(new MemoryBatches(clock)) }
    : { rates: new PostgresRates(pool, clock), batches: new Batches(new PostgresBatches(pool, clock)) };
}

/** Not connected yet. */
export function openRedis(url: string): Redis {
  const options = { lazyConnect: true, maxRetriesPerRequest: 1, connectTimeout: 2_000 };
  const sentinels = sentinelsOf(url);
  const redis = sentinels === null ? new Redis(url, options) : new Redis({ ...sentinels, ...options });
  redis.on('error', () => {});
  return redis;
}

async function connectRedis(url: string): Promise<Redis> {
  const redis = openRedis(url);
  try {
    await redis.connect();
  } catch (error) {
    redis.disconnect();
    throw new ConfigError(`REDIS_URL: Redis does not answer (${(error as Error).message}).`);
  }
  return redis;
}

/** `redis+sentinel://user:password@a:26379,b:26379/name/0` asks these sentinels which server is the primary called `name`. */
export function sentinelsOf(url: string) {
  const [, user, password, hosts, name, db] =
    /^rediss?\+sentinel:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^/?#]+)\/([^/?#]+)(?:\/(\d+))?$/.exec(url) ?? [];
  if (hosts === undefined || name === undefined) return null;
  const sentinels = hosts.split(',').map((host) => {
    const { hostname, port } = new URL(`redis://${host}`);
    return { host: hostname, port: port === '' ? 26_379 : Number(port) };
  });
  return {
    ...{ sentinels, name: decodeURIComponent(name), db: Number(db ?? 0) },
    ...(user !== undefined && user !== '' && { username: decodeURIComponent(user) }),
    ...(password !== undefined && { password: decodeURIComponent(password) }),
    ...(url.startsWith('rediss') && { tls: {}, enableTLSForSentinelMode: true }),
  };
}
