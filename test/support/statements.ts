import pg from 'pg';
import type { Id } from '../../server/src/common/ids.ts';

/** A statement as the server sent it. */
export interface Statement {
  text: string;
  values: unknown[];
}

export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Parent Relationship'?: string;
  'Sort Key'?: string[];
  Filter?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

export const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Records the statements that this process sends while `work` runs. One recording at a time. */
export async function recording(work: () => Promise<unknown>): Promise<Statement[]> {
  const query = pg.Client.prototype.query;
  const sent: Statement[] = [];
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [config] = given as [{ text?: string; values?: unknown[] }];
    if (typeof config?.text === 'string') sent.push({ text: config.text, values: config.values ?? [] });
    return (query as (...all: unknown[]) => unknown).apply(this, given);
  } as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  return sent;
}

export const READS = /^[\s(]*(select|with)\b/i;
export const WRITES = /^\s*(insert|update|delete)\b/i;

export interface ExplainOptions {
  /** Carried out before, and undone afterwards. */
  before?: string;
  /** Carries the statement out, so that the plan says how many rows it met. */
  analyze?: boolean;
  mode?: 'force_custom_plan' | 'force_generic_plan';
  /** `turnout_system`: as background work does. */
  role?: 'turnout_app' | 'turnout_system';
}

/** The plan of a statement as the server runs it: in the role `turnout_app` unless another is named, under row-level security, with its values. */
export async function explain(
  reader: pg.Client,
  org: Id,
  { text, values }: Statement,
  { before = 'select', analyze = false, mode = 'force_custom_plan', role = 'turnout_app' }: ExplainOptions = {},
): Promise<PlanNode> {
  await reader.query('begin');
  try {
    await reader.query(before);
    await reader.query(`set local plan_cache_mode = ${mode}`);
    await reader.query(`set local role ${role}; set local turnout.org = '${org}'`);
    await reader.query(`prepare explained as ${text}`);
    const given = values.map((value) => (value == null ? 'null' : reader.escapeLiteral(textOf(value))));
    const execute = given.length === 0 ? 'explained' : `explained(${given.join(', ')})`;
    const { rows } = await reader.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `explain (format json${analyze ? ', analyze, timing off' : ''}) execute ${execute}`,
    );
    return rows[0]!['QUERY PLAN'][0]!.Plan;
  } finally {
    await reader.query('rollback; deallocate all');
  }
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  if (!Array.isArray(value)) return String(value);
  return `{${value.map((item) => (item === null ? 'null' : JSON.stringify(textOf(item)))).join(',')}}`;
}
