/** The plans. Every start writes them to the table `plans`, which is what the road reads. */
export const ENTITLEMENTS = [
  'api_read',
  'api_write',
  'api_scanner',
  'webhooks',
  'client_apps',
  'background_imports',
  'platform_import',
] as const;
export type Entitlement = (typeof ENTITLEMENTS)[number];

export const LIMITS = ['api_rate_per_min', 'api_calls_monthly', 'attendees_per_event', 'webhook_endpoints'] as const;
export type Limit = (typeof LIMITS)[number];

export const NO_LIMITS: Readonly<Record<Limit, null>> = {
  api_rate_per_min: null,
  api_calls_monthly: null,
  attendees_per_event: null,
  webhook_endpoints: null,
};

export const PLAN_CODES = ['free', 'starter', 'growth', 'scale'] as const;
export type PlanCode = (typeof PLAN_CODES)[number];

export interface Plan {
  code: PlanCode;
  name: string;
  entitlements: readonly Entitlement[];
  /** null: no limit. */
  limits: Readonly<Record<Limit, number | null>>;
}

const starter: readonly Entitlement[] = ['background_imports', 'platform_import'];
const growth: readonly Entitlement[] = [...starter, 'api_read', 'webhooks', 'client_apps'];
const scale: readonly Entitlement[] = [...growth, 'api_write', 'api_scanner'];

export const PLANS: readonly Plan[] = [
  {
    code: 'free',
    name: 'Free',
    entitlements: [],
    limits: { api_rate_per_min: 60, api_calls_monthly: null, attendees_per_event: 100, webhook_endpoints: 10 },
  },
  {
    code: 'starter',
    name: 'Starter',
    entitlements: starter,
    limits: { api_rate_per_min: 60, api_calls_monthly: null, attendees_per_event: 500, webhook_endpoints: 20 },
  },
  {
    code: 'growth',
    name: 'Growth',
    entitlements: growth,
    limits: { api_rate_per_min: 120, api_calls_monthly: 100_000, attendees_per_event: 10_000, webhook_endpoints: 50 },
  },
  {
    code: 'scale',
    name: 'Scale',
    entitlements: scale,
    limits: {
      api_rate_per_min: 600,
      api_calls_monthly: 1_000_000,
      attendees_per_event: 250_000,
      webhook_endpoints: 100,
    },
  },
];

/** The cheapest plan that includes the entitlement, for `error.upgrade_plan`. */
export const minimumPlan = (entitlement: Entitlement): PlanCode =>
  PLANS.find((plan) => plan.entitlements.includes(entitlement))!.code;
