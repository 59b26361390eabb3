import { Link } from '@tanstack/react-router';
import type { Overview, OverviewEvent } from '@turnout/client';
import { AlertIcon, CheckIcon, Section, useFormats, useWords } from '@turnout/ui';
import type { ReactNode } from 'react';
import { type Organization, useOrganization } from '../../frame/organization.tsx';

interface Wait {
  id: string;
  /** A number, or a sign where there is nothing to count. */
  count: ReactNode;
  what: string;
  /** Which event it is about, or a link to where it is done. */
  where: ReactNode;
}
const MAX_SHOWN = 8;
/** From this share of the month's calls on, somebody should know. */
const NEARLY_USED = 0.8;
const DAY_MS = 86_400_000;
/** So many days before the license ends, somebody should see to another one. */
const EXPIRES_SOON = 30;

/** What somebody has to decide or to repair. `quiet`: says nothing if there is nothing. */
export function OpenTasks({ overview, quiet }: { overview: Overview; quiet?: boolean }) {
  const t = useWords('home');
  const waits = [...useLicense(), ...useService(overview), ...useRegistrations(overview)];
  if (waits.length === 0) {
    if (quiet) return null;
    return (
      <p className="soft waits-none">
        <CheckIcon /> {t('waitsNothing')}
      </p>
    );
  }
  return (
    <Section title={t('waits')}>
      <ul className="waits">
        {waits.slice(0, MAX_SHOWN).map(({ id, count, what, where }) => (
          <li key={id}>
            <strong className="number">{count}</strong>
            <span>{what}</span>
            <span className="soft clip">{where}</span>
          </li>
        ))}
      </ul>
      {waits.length > MAX_SHOWN && <p className="soft small">{t('waitsMore', { count: waits.length - MAX_SHOWN })}</p>}
    </Section>
  );
}

/** What is about to happen to the installation, or has happened, because of its license. */
function useLicense(): Wait[] {
  const t = useWords('home');
  const formats = useFormats();
  const { license, may } = useOrganization();
  if (license === null) return [];
  const sign = <AlertIcon />;
  const where = t('licenseWhere');
  const { read_only, read_only_at, validity, expires_at } = license;
  if (read_only) return [{ id: 'license', count: sign, what: t('licenseReadOnly'), where }];
  if (read_only_at !== null)
    return [{ id: 'license', count: sign, what: t('licenseRevoked', { when: formats.dateTime(read_only_at) }), where }];
  if (!may('events.write')) return [];
  if (validity !== 'valid') return [{ id: 'license', count: sign, what: t(`license.${validity}`), where }];
  const days = expires_at === null ? Infinity : Math.ceil((Date.parse(expires_at) - Date.now()) / DAY_MS);
  if (days > EXPIRES_SOON) return [];
  const count = Math.max(0, days);
  return [{ id: 'license', count: formats.number(count), what: t('licenseExpires', { count }), where }];
}

/** What is wrong with the service itself. */
function useService({ failing_webhooks, paused_webhooks }: Overview): Wait[] {
  const t = useWords('home');
  const formats = useFormats();
  const { org, usage, may } = useOrganization();
  const waits: Wait[] = [];
  if (failing_webhooks > 0) {
    waits.push({
      id: 'webhooks',
      count: formats.number(failing_webhooks),
      what: t('webhooks', { count: failing_webhooks }),
      where: (
        <Link to="/$org/developers" params={{ org }}>
          {t('webhooksWhere')}
        </Link>
      ),
    });
  }
  if (paused_webhooks > 0) {
    waits.push({
      id: 'paused',
      count: formats.number(paused_webhooks),
      what: t('webhooksPaused', { count: paused_webhooks }),
      where: (
        <Link to="/$org/developers/webhooks" params={{ org }}>
          {t('webhooksWhere')}
        </Link>
      ),
    });
  }
  const share = usage.allowance === null || usage.allowance === 0 ? 0 : usage.calls / usage.allowance;
  if (share >= NEARLY_USED) {
    waits.push({
      id: 'quota',
      count: formats.percent(Math.min(1, share)),
      what: t('quota'),
      where: may('tenant.settings') && (
        <Link to="/$org/organization" params={{ org }}>
          {t('quotaWhere')}
        </Link>
      ),
    });
  }
  return waits;
}

/** The list behind each. */
const STATUSES = { toApprove: 'pending_approval', unpaid: 'pending_payment', waitlist: 'waitlisted' } as const;

function useRegistrations({ events }: Overview): Wait[] {
  const t = useWords('home');
  const formats = useFormats();
  const { org, may } = useOrganization();
  return events.flatMap((event) =>
    waitingTasks(event, may).map(([kind, count]) => ({
      id: `${event.id} ${kind}`,
      count: formats.number(count),
      what: t(kind, { count }),
      where: (
        <Link
          to="/$org/events/$event/people/registrations"
          params={{ org, event: event.code }}
          search={{ status: STATUSES[kind] }}
        >
          <bdi>{event.name}</bdi>
        </Link>
      ),
    })),
  );
}

/** Only what this member can do something about; nobody is approved any more for an event that is over. */
function waitingTasks(event: OverviewEvent, may: Organization['may']) {
  const open = event.when !== 'past' && may('people.write');
  const kinds = [
    ['toApprove', open ? event.to_approve : 0],
    ['unpaid', may('money.record') ? event.unpaid : 0],
    ['waitlist', open ? event.waiting : 0],
  ] as const;
  return kinds.filter(([, count]) => count > 0);
}
