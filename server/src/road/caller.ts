import {
  DEFAULT_TERMINOLOGY,
  type Entitlement,
  type Limit,
  type Mode,
  NO_LIMITS,
  type Permission,
  type PlanCode,
  type Role,
  type Scope,
} from '@turnout/contract';
import type { Id } from '../common/ids.ts';

/** Who calls, for which organization, and what they may reach. Authentication makes it; everything else gets it as an argument. */
export interface Caller {
  actor: Actor;
  org: Organization;
  plan: CallerPlan;
  /** A test key creates and changes only test objects. Members and devices are always live. */
  mode: Mode;
  /** Limits the caller to this group's subtree. */
  group: { id: Id; code: string } | null;
  usage: { month: string; calls: number };
}

export type Actor =
  | { kind: 'key'; id: Id; name: string; scopes: readonly Scope[]; expiresAt: string | null; requestsPerMinute: number }
  | MemberActor
  | { kind: 'device'; id: Id; name: string; event: Id }
  | VisitorActor
  | { kind: 'system'; id: null; name: string };

/**
 * Whoever uses the registration pages. The id is that of the form that is filled in, or of the registration or attendee whose link was
 * opened: a page's calls are told apart by it, as those of keys are by the key.
 */
export interface VisitorActor {
  kind: 'visitor';
  id: Id;
  name: string;
  /** A keyed hash of the network from which a form was sent. */
  network?: string;
}

export interface MemberActor {
  kind: 'member';
  id: Id;
  name: string;
  role: Role;
  permissions: readonly Permission[];
  account: { id: Id; email: string };
  session: {
    id: Id;
    secondFactor: boolean;
    /** When the person last proved who they are. */
    provedAt: string;
  };
}

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

/** The columns that every lookup of a caller returns. */
export interface OrganizationColumns {
  org_id: Id;
  org_code: string;
  org_name: string;
  org_timezone: string;
  org_terminology: Record<string, string>;
  plan: PlanCode;
  entitlements: Entitlement[];
  plan_limits: Partial<Record<Limit, number | null>>;
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
  // Limits that the operator sets for an organization go before those of its plan and may exceed them.
  // The plans in the table lack a limit that is new in this build if a process of an older one has written them since.
  plan: {
    code: row.plan,
    entitlements: row.entitlements,
    limits: { ...NO_LIMITS, ...row.plan_limits, ...row.limits },
  },
});
