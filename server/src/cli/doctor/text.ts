import type { Finding, Report } from './index.ts';
import { count, GROUPS, NOT_CHECKED, type State } from './verdict.ts';

const MARKS: Record<State, string> = { ok: 'ok', warning: 'WARNING', failed: 'FAILED' };

/** A report for people: a line for each finding, below it what to do, and the sum in the last line. */
export function reportText({ findings }: Report): string {
  const lines = GROUPS.flatMap((group) => {
    const here = findings.filter((one) => one.group === group);
    const lines = here.filter((one) => !isNotChecked(one)).flatMap(linesOf);
    return here.length === 0 ? [] : [group, ...lines, ...notChecked(here.filter(isNotChecked)), ''];
  });
  return [...lines, sum(findings)].join('\n');
}

const linesOf = ({ state, check, says, remedy }: Finding): string[] => [
  `  ${MARKS[state].padEnd(9)}${check}: ${says}`,
  ...(remedy === null ? [] : [`           → ${remedy}`]),
];

const isNotChecked = ({ says }: Finding): boolean => says.startsWith(NOT_CHECKED);

/** What has the same reason is one line. */
function notChecked(findings: readonly Finding[]): string[] {
  return [...Map.groupBy(findings, (one) => one.says)].flatMap(([says, those]) =>
    linesOf({ ...those[0]!, says, check: those.map(({ check }) => check).join(', ') }),
  );
}

function sum(findings: readonly Finding[]): string {
  const having = (state: State) => findings.filter((one) => one.state === state).length;
  const parts = [`${having('ok')} ok`, count(having('warning'), 'warning'), `${having('failed')} failed`];
  return `${count(findings.length, 'finding')}: ${parts.join(', ')}`;
}
