import { Redis } from 'ioredis';
import type { Clock } from '../clock.ts';
import { type Config, ConfigError } from '../config.ts';
import { Batches, MemoryBatches, PostgresBatches, RedisBatches } from '../road/gate/batches.ts';
import { MemoryRates, PostgresRates, type RateStore, RedisRates } from '../road/gate/rates.ts';
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
export async function makeBudgets(config: Config, pool: Pool, clock: Clock, stops: Stops): Promise<Budgets> {
  if (config.redisUrl !== null) {
    const redis = await connectRedis(config.redisUrl);
    stops.push(async () => redis.disconnect());
    return { rates: new RedisRates(redis, clock), batches: new Batches(new RedisBatches(redis)) };
  }
  return config.databaseUrl === null
    ? { rates: new MemoryRates(clock), batches: new Batches(new MemoryBatches(clock)) }
    : { rates: new PostgresRates(pool, clock), batches: new Batches(new PostgresBatches(pool, clock)) };
}

async function connectRedis(url: string): Promise<Redis> {
  const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 1 });
  redis.on('error', () => {});
  try {
    await redis.connect();
  } catch (error) {
    redis.disconnect();
    throw new ConfigError(`REDIS_URL: Redis does not answer (${(error as Error).message}).`);
  }
  return redis;
}
