import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { LiveSettings } from '../areas/live/index.ts';
import type { PairingLimits } from '../areas/scanning/index.ts';
import type { Clock } from '../clock.ts';
import type { Files } from '../outside/files.ts';
import type { Outbound } from '../outside/https.ts';
import type { MailTransport } from '../outside/mail.ts';
import type { PaymentProvider } from '../outside/payments.ts';
import type { Platform } from '../outside/platforms.ts';
import type { Job } from '../road/for-areas/job.ts';
import type { Operation } from '../road/operation.ts';
import type { EdgeLimits } from '../road/request/edge.ts';
import type { FanOut } from '../road/write/record.ts';
import type { AppName } from '../web/apps.ts';

/** What whoever starts Turnout may replace or add. Apart from `progress` and `appsReady`, all of it is for tests and benchmarks. */
export interface StartOptions {
  clock?: Clock;
  progress?: (line: string) => void;
  /** Nothing is answered before. */
  appsReady?: Promise<void>;
  log?: Logger;
  /** Operations beside those of the areas. */
  operations?: readonly Operation[];
  /** Adds addresses and hooks beside those of Turnout. */
  routes?: (app: FastifyInstance) => void;
  /** Jobs beside those of the areas. */
  jobs?: readonly Job[];
  /** Checks each reply against its schema. */
  checkReply?: (operation: Operation, body: unknown) => void;
  fanOut?: FanOut;
  mail?: MailTransport;
  payments?: PaymentProvider;
  eventbrite?: Platform;
  files?: Files;
  /** The folders of the built apps. */
  apps?: Partial<Record<AppName, string>>;
  /** The folder of the built script and style of the registration pages. */
  pages?: string;
  /** Shorter waits than clients get. */
  edge?: Partial<EdgeLimits>;
  /** How wrong pairing codes are answered. */
  pairing?: Partial<PairingLimits>;
  /** Shorter times and lower bounds of live pages. */
  live?: Partial<LiveSettings>;
  /** How webhooks are sent: tests bring a resolver and a certificate of their own. */
  webhooks?: Outbound;
}

/** What is done when Turnout stops. The step that was added last runs first. */
export type Stops = (() => Promise<unknown>)[];
