import { Link } from '@tanstack/react-router';
import type { Overview } from '@turnout/client';
import { Button, Section, useFormats, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useOrganization } from '../../frame/organization.tsx';
import { CaughtUp, type Todo, TodoList } from '../../parts/todo-list.tsx';
import { waitingTasks } from './waiting.ts';

const MAX_SHOWN = 6;
/** From this share of the month's calls on, somebody should know. */
const NEARLY_USED = 0.8;
const DAY_MS = 86_400_000;
/** So many days before the license ends, somebody should see to another one. */
const EXPIRES_SOON = 30;

/** What somebody has to decide or to repair, in sentences that lead there. `quiet`: says nothing if there is nothing. */
export function ToDo({ overview, quiet }: { overview: Overview; quiet?: boolean }) {
  const t = useWords('home');
  const [isWhole, setWhole] = useState(false);
  const todos = [...useLicense(), ...useService(overview), ...useRegistrations(overview)];
  if (todos.length === 0) return quiet ? null : <CaughtUp>{t('caughtUp')}</CaughtUp>;
  const shown = isWhole ? todos : todos.slice(0, MAX_SHOWN);
  return (
    <Section title={t('todo')}>
      <TodoList todos={shown} />
      {shown.length < todos.length && (
        <div className="buttons">
          <Button size="small" onClick={() => setWhole(true)}>
            {t('showMore', { count: todos.length - shown.length })}
          </Button>
        </div>
      )}
    </Section>
  );
}

/** What is about to happen to the installation, or has happened, because of its license. */
function useLicense(): Todo[] {
  const t = useWords('home');
  const formats = useFormats();
  const { license, may } = useOrganization();
  if (license === null) return [];
  const todo = (action: string): Todo[] => [{ id: 'license', action, about: t('licenseWhere') }];
  const { read_only, read_only_at, validity, expires_at } = license;
  if (read_only) return todo(t('licenseReadOnly'));
  if (read_only_at !== null) return todo(t('licenseRevoked', { when: formats.dateTime(read_only_at) }));
  if (!may('events.write')) return [];
  if (validity !== 'valid') return todo(t(`license.${validity}`));
  const days = expires_at === null ? Infinity : Math.ceil((Date.parse(expires_at) - Date.now()) / DAY_MS);
  return days > EXPIRES_SOON ? [] : todo(t('licenseExpires', { count: Math.max(0, days) }));
}

/** What is wrong with the service itself. */
function useService({ failing_webhooks, paused_webhooks }: Overview): Todo[] {
  const t = useWords('home');
  const formats = useFormats();
  const { org, usage, may } = useOrganization();
  const share = usage.allowance === null || usage.allowance === 0 ? 0 : usage.calls / usage.allowance;
  const quota = t('quota', { share: formats.percent(Math.min(1, share)) });
  const webhooks = (text: string) => (
    <Link to="/$org/developers/webhooks" params={{ org }}>
      {text}
    </Link>
  );
  const todos: (Todo | false)[] = [
    failing_webhooks > 0 && { id: 'webhooks', action: webhooks(t('webhooks', { count: failing_webhooks })) },
    paused_webhooks > 0 && { id: 'paused', action: webhooks(t('webhooksPaused', { count: paused_webhooks })) },
    share >= NEARLY_USED && {
      id: 'quota',
      action: may('tenant.settings') ? (
        <Link to="/$org/organization" params={{ org }}>
          {quota}
        </Link>
      ) : (
        quota
      ),
    },
  ];
  return todos.filter((todo) => todo !== false);
}

/** The list behind each. */
const STATUSES = { toApprove: 'pending_approval', unpaid: 'pending_payment', waitlist: 'waitlisted' } as const;

function useRegistrations({ events }: Overview): Todo[] {
  const t = useWords('home');
  const { org, may } = useOrganization();
  return events.flatMap((event) =>
    waitingTasks(event, may).map(([kind, count]) => ({
      id: `${event.id} ${kind}`,
      action: (
        <Link
          to="/$org/events/$event/people/registrations"
          params={{ org, event: event.code }}
          search={{ status: STATUSES[kind] }}
        >
          {t(`do.${kind}`, { count })}
        </Link>
      ),
      about: <bdi>{event.name}</bdi>,
    })),
  );
}
