import { inTime } from '../../common/in-time.ts';
import type { Config } from '../../config.ts';
import type { Check, Context, Options } from './check.ts';
import { makeContext } from './context.ts';
import { dataChecks } from './data.ts';
import { databaseChecks } from './database.ts';
import { fileChecks } from './files.ts';
import { hostChecks } from './hosts.ts';
import { machineChecks } from './machine.ts';
import { mailChecks } from './mail.ts';
import { queueChecks } from './queues.ts';
import { redisChecks } from './redis.ts';
import { withoutSecrets } from './secrets.ts';
import { type Group, messageOf, NOT_CHECKED, NotChecked, type State, type Verdict } from './verdict.ts';

export interface Finding {
  group: Group;
  check: string;
  state: State;
  /** Whether nothing failed. */
  ok: boolean;
  says: string;
  remedy: string | null;
}

export interface Report {
  ok: boolean;
  state: State;
  findings: Finding[];
}

export const CHECKS: readonly Check[] = [
  ...databaseChecks,
  ...dataChecks,
  ...queueChecks,
  ...fileChecks,
  ...redisChecks,
  ...mailChecks,
  ...hostChecks,
  ...machineChecks,
];

/** How long the database has to say goodbye, if it was started for this. */
const CLOSE_MS = 4_000;

/**
 * Looks at the installation as it is set up. All checks begin at once, and each ends at its limit at the latest, so all of it ends in less
 * than 20 seconds (with `patient`, the checks of the data take as long as they need).
 */
export async function examine(config: Config, options: Options, checks: readonly Check[] = CHECKS): Promise<Report> {
  const context = makeContext(config, options);
  const clean = withoutSecrets(config);
  const verdicts = await Promise.all(checks.map((check) => carryOut(check, context)));
  await inTime(CLOSE_MS, context.close()).catch(() => {});
  const findings = checks.flatMap((check, i) =>
    verdicts[i]!.map((one) => ({
      ...{ group: check.group, check: clean(one.check ?? check.name), state: one.state, ok: one.state !== 'failed' },
      ...{ says: clean(one.says), remedy: one.remedy === null ? null : clean(one.remedy) },
    })),
  );
  const state = (['failed', 'warning'] as const).find((worse) => findings.some((one) => one.state === worse)) ?? 'ok';
  return { ok: state !== 'failed', state, findings };
}

async function carryOut(check: Check, context: Context): Promise<Verdict[]> {
  const { options } = context;
  const limitMs = Math.min(check.limitMs, options.limitMs ?? check.limitMs);
  const running = check.run(context);
  try {
    const isPatient = options.patient === true && check.group === 'data';
    return [await (isPatient ? running : inTime(limitMs, running, (ms) => new Late(ms)))].flat();
  } catch (error) {
    if (error instanceof Late)
      return [
        check.late ?? {
          state: 'failed',
          says: `There was no answer in ${limitMs / 1000} s.`,
          remedy: 'Look whether it hangs or is cut off by a firewall.',
        },
      ];
    if (error instanceof NotChecked)
      return [{ state: 'warning', says: `${NOT_CHECKED}${error.message}.`, remedy: 'See what else is said here.' }];
    return [
      {
        state: 'failed',
        says: `The check itself failed: ${messageOf(error)}.`,
        remedy: 'Look at the message, and run it again.',
      },
    ];
  }
}

class Late extends Error {
  constructor(ms: number) {
    super(`not within ${ms} ms`);
  }
}
