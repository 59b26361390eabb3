import {
  DEFAULT_TERMINOLOGY,
  type Entitlement,
  type Limit,
  type Mode,
  type Permission,
  type PlanCode,
  type Scope,
} from '@turnout/contract';
import type { Id } from '../store/ids.ts';

/** Who calls, for which organization, and how far that reaches. Made by authentication, passed as an argument everywhere. */
export interface Caller {
  actor: Actor;
  org: Organization;
  plan: CallerPlan;
  /** Test callers create and change test objects only. Members and devices are live. */
  mode: Mode;
  /** Limits the caller to this group's subtree. */
  group: { id: Id; code: string } | null;
  usage: { month: string; calls: number };
}

export type Actor =
  | { kind: 'key'; id: Id; name: string; scopes: readonly Scope[]; expiresAt: string | null; requestsPerMinute: number }
  | { kind: 'member'; id: Id; name: string; permissions: readonly Permission[] }
  | { kind: 'device'; id: Id; name: string; event: Id }
  | { kind: 'system'; id: null; name: string };

export interface Organization {
  id: Id;
  code: string;
  name: string;
  timezone: string;
  terminology: Record<string, string>;
}

export interface CallerPlan {
  code: PlanCode;
  entitlements: readonly Entitlement[];
  limits: Record<Limit, number | null>;
}

/** The columns that every lookup of the directory shares. */
export interface OrganizationColumns {
  org_id: Id;
  org_code: string;
  org_name: string;
  org_timezone: string;
  org_terminology: Record<string, string>;
  plan: PlanCode;
  entitlements: Entitlement[];
  plan_limits: Record<Limit, number | null>;
  limits: Partial<Record<Limit, number>>;
}

export const organizationOf = (row: OrganizationColumns): Pick<Caller, 'org' | 'plan'> => ({
  org: {
    id: row.org_id,
    code: row.org_code,
    name: row.org_name,
    timezone: row.org_timezone,
    terminology: { ...DEFAULT_TERMINOLOGY, ...row.org_terminology },
  },
  // An operator's override may exceed the plan.
  plan: { code: row.plan, entitlements: row.entitlements, limits: { ...row.plan_limits, ...row.limits } },
});
