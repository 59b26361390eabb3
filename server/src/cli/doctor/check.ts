import type { Clock } from '../../clock.ts';
import type { Config } from '../../config.ts';
import type { Resolve } from '../../outside/https/names.ts';
import type { Database } from './open.ts';
import type { AskedPage } from './page.ts';
import type { Group, Verdict } from './verdict.ts';

export interface Check {
  name: string;
  group: Group;
  /** How long it may take, in milliseconds, whatever it waits for. */
  limitMs: number;
  run(context: Context): Promise<Verdict | Verdict[]>;
  /** What it means that it did not end in time. Without it, the check has failed. */
  late?: Verdict;
}

export interface Options {
  clock: Clock;
  /** To whom a mail is sent. Without it, none is. */
  sendTo?: string;
  /** The checks of the data may take as long as they need. */
  patient?: boolean;
  /** Certificates of an authority that is trusted beside those of the system, and who answers for names. For tests. */
  ca?: string;
  resolve?: Resolve;
  /** On which port the hosts of organizations are asked. For tests. */
  port?: number;
  /** Shorter limits, for tests. */
  limitMs?: number;
}

/** What checks share. Whatever is asked for twice is done once. */
export interface Context {
  config: Config;
  options: Options;
  clock: Clock;
  /** Throws `NotChecked` if there is none that serves. */
  database(): Promise<Database>;
  /** The addresses of a host that the configuration names. It fails where connecting to that host would hang. */
  addresses(host: string): Promise<string[]>;
  /** The answer at PUBLIC_URL. */
  ownPage(): Promise<AskedPage>;
}
