import { CODE_PATTERN, LIMITS, type Limit, PLAN_CODES } from '@turnout/contract';
import { type Id, newId, toUlid } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import { isVisible } from '../../common/unicode.ts';
import { isTimezone } from '../../road/request/formats.ts';
import { insertRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { followPlan } from '../webhooks/index.ts';

export interface OrganizationRow {
  id: Id;
  code: string;
  name: string;
  timezone: string;
  plan: string;
  limits: Partial<Record<Limit, number>>;
}

/** By code, for the operator, who is not limited to one organization. */
export async function acrossOrganizationsFind(tx: Tx, ref: string): Promise<OrganizationRow> {
  const rows = await tx.all<OrganizationRow>(sql`
    select id, code, name, timezone, plan, limits from organizations where lower(code) = lower(${ref})`);
  return rows[0] ?? refuse('not_found', { message: `There is no organization ${ref}.` });
}

export const acrossOrganizationsList = (
  tx: Tx,
): Promise<(OrganizationRow & { sandbox: boolean; created_at: string })[]> =>
  tx.all(sql`
    select id, code, name, timezone, plan, limits, sandbox, created_at from organizations order by lower(code)`);

export async function createOrganization(
  tx: Tx,
  organization: { code: string; name: string; plan: string; timezone?: string; sandbox?: boolean; id?: Id },
): Promise<OrganizationRow> {
  if (!new RegExp(CODE_PATTERN).test(organization.code)) {
    refuse('validation_failed', {
      message: `${organization.code} is not a valid code. Use letters, digits, hyphens and underscores.`,
    });
  }
  if (!isVisible(organization.name))
    refuse('validation_failed', { message: 'An organization needs a name with visible characters.' });
  if (organization.timezone !== undefined && !isTimezone(organization.timezone)) {
    refuse('validation_failed', {
      message: `${organization.timezone} is not an IANA time zone such as Europe/Berlin.`,
    });
  }
  requirePlan(organization.plan);
  if ((await tx.maybe(sql`select 1 from organizations where lower(code) = lower(${organization.code})`)) !== null) {
    refuse('code_taken', { message: `There is already an organization with the code ${organization.code}.` });
  }
  const now = tx.clock.now();
  const id = organization.id ?? newId(now);
  await insertRow(tx, 'organizations', {
    id,
    code: organization.code,
    name: organization.name,
    plan: organization.plan,
    timezone: organization.timezone,
    sandbox: organization.sandbox,
    created_at: now,
    updated_at: now,
  });
  await insertRow(tx, 'org_clocks', { org_id: id });
  return acrossOrganizationsFind(tx, organization.code);
}

const requirePlan = (plan: string): void => {
  if (!(PLAN_CODES as readonly string[]).includes(plan)) {
    refuse('validation_failed', { message: `${plan} is not a plan. Plans: ${PLAN_CODES.join(', ')}.` });
  }
};

/** Sets the plan and overrides of its limits, if given. An override may be above the plan's limit; `default` removes it. */
export async function setPlan(
  tx: Tx,
  org: OrganizationRow,
  plan: string | undefined,
  limits: readonly (readonly [string, string])[],
): Promise<OrganizationRow> {
  if (plan !== undefined) requirePlan(plan);
  const overrides: Record<string, number> = { ...org.limits };
  for (const [name, value] of limits) {
    if (!(LIMITS as readonly string[]).includes(name)) {
      refuse('validation_failed', { message: `${name} is not a limit. Limits: ${LIMITS.join(', ')}.` });
    }
    if (value === 'default') delete overrides[name];
    else if (/^\d{1,12}$/.test(value)) overrides[name] = Number(value);
    else refuse('validation_failed', { message: `${name}=${value}: the value must be a whole number or "default".` });
  }
  await tx.run(sql`
    update organizations set plan = ${plan ?? org.plan}, limits = ${JSON.stringify(overrides)}, updated_at = ${tx.clock.now()}
    where id = ${org.id}`);
  await followPlan(tx, org.id);
  return acrossOrganizationsFind(tx, org.code);
}

export const organizationShape = (row: OrganizationRow) => ({
  id: toUlid(row.id),
  code: row.code,
  name: row.name,
  timezone: row.timezone,
  plan: row.plan,
  limits: row.limits,
});
