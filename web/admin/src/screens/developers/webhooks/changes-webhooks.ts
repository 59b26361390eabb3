import { useOrganization } from '../../../frame/organization.tsx';

/** Whether the viewer can change webhooks. After a downgrade they are only read: the plan would refuse every change. */
export function useChangesWebhooks(): boolean {
  const { may, plan } = useOrganization();
  return may('tenant.integrations') && plan.entitlements.includes('webhooks');
}
