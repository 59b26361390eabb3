import type { Logger } from 'pino';
import { accountMailRenderer, isAccountMail } from '../areas/accounts/index.ts';
import { isMessage, messageRenderer, settleMessage } from '../areas/communications/index.ts';
import type { KnownHosts } from '../areas/hosts/index.ts';
import { jobs } from '../areas/index.ts';
import { invitationRenderer, isInvitation } from '../areas/members/index.ts';
import { isLinksMail, linksRenderer, settleLinks } from '../areas/pages/index.ts';
import { pictureFile } from '../areas/pictures/index.ts';
import { warnOfUsage } from '../areas/plans/index.ts';
import { letterRenderer, linkOfAttendee } from '../areas/registrations/index.ts';
import { Deliverer, fanOut } from '../areas/webhooks/index.ts';
import type { Clock } from '../clock.ts';
import { toUlid } from '../common/ids.ts';
import { PICTURE_FILES } from '../common/page-links.ts';
import type { Secrets } from '../common/secrets.ts';
import type { Cron } from '../road/for-areas/job.ts';
import type { Links } from '../road/for-areas/links.ts';
import type { RenderMail, SettleMail } from '../road/for-areas/mail.ts';
import type { Keys } from '../road/gate/authenticate.ts';
import type { Measures } from '../road/measures.ts';
import type { Pool } from '../store/pool.ts';
import type { Replica } from '../store/replica.ts';
import { Runner } from '../work/jobs.ts';
import { Loop } from '../work/loop.ts';
import { Mailer } from '../work/mails.ts';
import { RELAYED_AT_ONCE, type Relayed, relayStep } from '../work/relay.ts';
import { startSchedule } from '../work/schedule.ts';
import type { Adapters } from './adapters.ts';
import type { StartOptions, Stops } from './startup.ts';

export interface BackgroundParts {
  pool: Pool;
  clock: Clock;
  log: Logger;
  secrets: Secrets;
  links: Links;
  outside: Adapters;
  measures: Measures;
  replica: Replica | null;
  /** Where the links in mails lead. */
  publicUrl: string;
}

/** One step of each background loop. Tests that move the clock call these instead of waiting. */
export type Steps = Record<'relay' | 'deliveries' | 'mails' | 'jobs', () => Promise<number>>;

/**
 * The loops of the worker role: the relay, webhook deliveries, mails and jobs. They exist in every process, so that tests can step
 * them and the road can wake them, but they run only after `start`.
 */
export class Background {
  readonly step: Steps;
  readonly #parts: BackgroundParts;
  readonly #runner: Runner;
  readonly #deliverer: Deliverer;
  readonly #mailer: Mailer;
  readonly #relay: Loop;
  readonly #mails: Loop;
  readonly #jobs: Loop;

  constructor(parts: BackgroundParts, options: StartOptions) {
    const { pool, clock, log, secrets, outside, replica, measures } = parts;
    this.#parts = parts;
    this.#runner = new Runner({ pool, clock, log, outside, replica, measures }, [...jobs, ...(options.jobs ?? [])]);
    this.#deliverer = new Deliverer({ pool, clock, secrets, outbound: outside.webhooks, log, measures });
    const render = mailRenderer(parts);
    const settle: SettleMail = (tx, mail, fate) => (isLinksMail(mail) ? settleLinks : settleMessage)(tx, mail, fate);
    this.#mailer = new Mailer({ pool, clock, transport: outside.mail, log, render, settle, measures });
    const relayOnce = relayStep(pool, clock, options.fanOut ?? fanOut);
    const relay = async (): Promise<Relayed> => {
      const step = await relayOnce();
      if (step.relayed > 0) this.#deliverer.wake(step.orgs);
      return step;
    };
    this.step = {
      jobs: () => this.#runner.drain(),
      relay: async () => (await relay()).relayed,
      deliveries: () => this.#deliverer.step(),
      mails: () => this.#mailer.step(),
    };
    const full = RELAYED_AT_ONCE;
    const relayAll = async () => {
      const { relayed, more } = await relay();
      return more ? full : Math.min(relayed, full - 1);
    };
    this.#relay = new Loop('relay', relayAll, { everyMs: 250, full, gatherMs: 200 }, log, measures);
    this.#mails = new Loop('mails', () => this.#mailer.fill(), { everyMs: 1000 }, log, measures);
    this.#mailer.onRoom = () => this.#mails.wake();
    this.#jobs = new Loop('jobs', () => this.#runner.fill(), { everyMs: 1000 }, log, measures);
    this.#runner.onRoom = () => this.#jobs.wake();
  }

  wakeRelay(): void {
    this.#relay.wake();
  }

  wakeMails(): void {
    this.#mails.wake();
  }

  wakeJobs(): void {
    this.#jobs.wake();
  }

  async start(directUrl: string, crons: readonly Cron[], stops: Stops): Promise<void> {
    const { pool, clock, log, outside, measures } = this.#parts;
    measures.expect({ loops: ['relay', 'deliveries', 'mails', 'jobs'] });
    const schedule = await startSchedule(directUrl, crons, { pool, clock, log, outside, measures });
    this.#relay.start();
    this.#deliverer.start();
    this.#mails.start();
    this.#jobs.start();
    // The last one of these runs first. Each loop stops before what it feeds: the mail transport closes when the mailer has stopped.
    stops.push(
      () => schedule.stop(),
      async () => outside.mail.close(),
      () => this.#mailer.stop(),
      () => this.#mails.stop(),
      () => this.#deliverer.stop(),
      () => this.#relay.stop(),
      () => this.#runner.stop(),
      () => this.#jobs.stop(),
    );
  }
}

function mailRenderer({ pool, clock, links, secrets, publicUrl, outside }: BackgroundParts): RenderMail {
  const renderLetter = letterRenderer({
    links,
    online: outside.payments !== null,
    logoOf: async (org, logo) =>
      (await pictureFile(pool, clock, org, `${toUlid(logo)}${PICTURE_FILES.logo}`))?.bytes ?? null,
  });
  const renderMessage = messageRenderer(links, linkOfAttendee(links));
  const renderAccountMail = accountMailRenderer(secrets, publicUrl);
  const renderLinks = linksRenderer(links);
  const renderInvitation = invitationRenderer(links, secrets);
  return (tx, mail) => {
    if (isAccountMail(mail)) return renderAccountMail(tx, mail);
    if (isInvitation(mail)) return renderInvitation(tx, mail);
    if (isLinksMail(mail)) return renderLinks(tx, mail);
    return isMessage(mail) ? renderMessage(tx, mail) : renderLetter(tx, mail);
  };
}

/** Every second, and once more before the process stops, writes the calls that were counted and warns owners of their usage. */
export function startUsageLoop(
  keys: Keys,
  { pool, clock, log }: Pick<BackgroundParts, 'pool' | 'clock' | 'log'>,
  wakeMails: () => void,
  stops: Stops,
): void {
  const recordUsage = async (): Promise<number> => {
    await keys.flush(async (orgs) => {
      if ((await warnOfUsage(pool, clock, orgs)) > 0) wakeMails();
    });
    return 0;
  };
  const loop = new Loop('usage', recordUsage, { everyMs: 1000 }, log);
  loop.start();
  stops.push(recordUsage, () => loop.stop());
}

/** Loads the proved hosts of all organizations, and then asks every two seconds whether another process has changed them. */
export async function followTenantHosts(hosts: KnownHosts, log: Logger, stops: Stops): Promise<void> {
  await hosts.refresh();
  const loop = new Loop('tenant hosts', () => hosts.refresh().then(() => 0), { everyMs: 2000 }, log);
  loop.start();
  stops.push(() => loop.stop());
}
