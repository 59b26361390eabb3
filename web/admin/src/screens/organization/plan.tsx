import { Badge, Facts, Section, useFormats, useWords } from '@turnout/ui';
import { useOrganization } from '../../frame/organization.tsx';
import './plan.css';

const ENTITLEMENTS = [
  'api_read',
  'api_write',
  'api_scanner',
  'webhooks',
  'client_apps',
  'background_imports',
  'platform_import',
] as const;

/** What the plan includes, and how much of it is used this month. */
export function Plan() {
  const t = useWords('organization');
  const { plan, usage } = useOrganization();
  const formats = useFormats();
  const limit = (value: number | null) => (value === null ? t('unlimited') : formats.number(value));
  return (
    <Section title={t('plan')}>
      <Facts
        facts={[
          [t('planName'), <strong key="plan">{t(`plan.${plan.code}`)}</strong>],
          [t('attendeesPerEvent'), limit(plan.limits.attendees_per_event)],
          [t('requestsPerMinute'), limit(plan.limits.api_rate_per_min)],
          [t('webhookEndpoints'), limit(plan.limits.webhook_endpoints)],
        ]}
      />
      <Usage calls={usage.calls} allowance={usage.allowance} month={usage.month} />
      <div className="stack" data-gap="small">
        <h3>{t('includes')}</h3>
        <ul className="plan-list">
          {ENTITLEMENTS.map((entitlement) => {
            const has = plan.entitlements.includes(entitlement);
            return (
              <li key={entitlement}>
                <span>{t(`entitlement.${entitlement}`)}</span>
                <Badge {...(has && { tone: 'good' as const })}>{t(has ? 'included' : 'notIncluded')}</Badge>
              </li>
            );
          })}
        </ul>
      </div>
    </Section>
  );
}

/** Calls of this month. Above 100 % integrations go on working until 150 %, so the bar reaches that far. */
function Usage({ calls, allowance, month }: { calls: number; allowance: number | null; month: string }) {
  const t = useWords('organization');
  const formats = useFormats();
  const name = formats.when(`${month}-01`, { month: 'long', year: 'numeric' });
  if (allowance === null) return <p>{t('callsWithoutLimit', { calls, month: name })}</p>;
  const share = calls / allowance;
  const tone = share >= 1 ? 'bad' : share >= 0.8 ? 'warn' : 'accent';
  return (
    <div className="stack" data-gap="small">
      <div className="row" data-apart="">
        <span id="usage">{t('callsIn', { month: name })}</span>
        <span className="number">
          {t('callsOf', { calls, allowance })} ({formats.percent(share)})
        </span>
      </div>
      <meter className="usage" aria-labelledby="usage" min={0} max={1.5} value={Math.min(share, 1.5)} data-tone={tone}>
        {formats.percent(share)}
      </meter>
      {share >= 0.8 && <p className="soft small">{t(share >= 1 ? 'callsOver' : 'callsNear')}</p>}
    </div>
  );
}
