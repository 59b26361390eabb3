import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Pool } from '../store/pool.ts';

/** What background work gets: it acts as the system, across organizations. */
export interface JobParts {
  pool: Pool;
  clock: Clock;
  log: Logger;
}

/** Work that runs on a schedule (UTC), on one worker at a time. */
export interface Cron {
  name: string;
  /** crontab's five fields. */
  pattern: string;
  run: (parts: JobParts) => Promise<void>;
}
export const cron = (definition: Cron): Cron => definition;
