import { useQuery } from '@tanstack/react-query';
import { type NavigateOptions, useNavigate } from '@tanstack/react-router';
import type { Event } from '@turnout/client';
import { useWords } from '@turnout/ui';
import { call, useCall } from '../../frame/api.ts';
import { useOrganization } from '../../frame/organization.tsx';
import { shortUrl } from '../developers/webhook-url.ts';
import type { Findable } from './match.ts';

type Kind = 'action' | 'screen' | 'event' | 'member' | 'key' | 'webhook';

export interface Item extends Findable {
  id: string;
  kind: Kind;
  hint?: string | undefined;
  go: () => void;
}

/** Everything that this member may open, do or look up. */
export function useItems(): Item[] {
  return [...useActions(), ...useScreens(), ...useThings()];
}

const useGo = () => {
  const navigate = useNavigate();
  return (there: NavigateOptions) => () => void navigate(there);
};

function useActions(): Item[] {
  const t = useWords('palette');
  const { org, may, plan } = useOrganization();
  const go = useGo();
  const params = { org };
  const all = [
    may('tenant.members') && {
      id: 'invite',
      text: t('invite'),
      go: go({ to: '/$org/team', params, search: { invite: 'yes' } }),
    },
    may('tenant.api_keys') && {
      id: 'createKey',
      text: t('createKey'),
      go: go({ to: '/$org/developers/keys/new', params }),
    },
    may('tenant.integrations') &&
      plan.entitlements.includes('webhooks') && {
        id: 'createWebhook',
        text: t('createWebhook'),
        go: go({ to: '/$org/developers/webhooks/new', params }),
      },
  ];
  return all.filter((one) => one !== false).map((one) => ({ ...one, kind: 'action' as const }));
}

function useScreens(): Item[] {
  const t = useWords('palette');
  const { org, may } = useOrganization();
  const go = useGo();
  const params = { org };
  const all = [
    { id: 'home', text: t('home'), go: go({ to: '/$org', params }) },
    may('tenant.groups') && { id: 'groups', text: t('groups'), go: go({ to: '/$org/groups', params }) },
    may('tenant.members') && { id: 'team', text: t('team'), go: go({ to: '/$org/team', params }) },
    may('tenant.api_keys') && { id: 'keys', text: t('keys'), go: go({ to: '/$org/developers/keys', params }) },
    may('tenant.integrations') && {
      id: 'webhooks',
      text: t('webhooks'),
      go: go({ to: '/$org/developers/webhooks', params }),
    },
    may('tenant.audit') && { id: 'audit', text: t('audit'), go: go({ to: '/$org/developers/audit', params }) },
    may('tenant.settings') && {
      id: 'organization',
      text: t('organization'),
      go: go({ to: '/$org/organization', params }),
    },
    { id: 'account', text: t('account'), go: go({ to: '/-/account' }) },
  ];
  return all.filter((one) => one !== false).map((one) => ({ ...one, kind: 'screen' as const }));
}

/** Events, members, keys and endpoints by name. What cannot be asked for is left out. */
function useThings(): Item[] {
  const { org, may } = useOrganization();
  const go = useGo();
  const params = { org };
  const events = useEvents();
  const members = useCall('listMembers', { org }, { enabled: may('tenant.members') });
  const keys = useCall('listKeys', { org }, { enabled: may('tenant.api_keys') });
  const webhooks = useCall('listWebhooks', { org, query: { limit: 100 } }, { enabled: may('tenant.integrations') });
  return [
    ...(events.data ?? []).map(
      ({ id, code, name }): Item => ({
        ...{ id, kind: 'event', text: name, also: code, hint: code },
        go: go({ to: '/$org', params }),
      }),
    ),
    ...(members.data?.data ?? []).map(
      ({ id, name, email }): Item => ({
        ...{ id, kind: 'member', text: name, also: email, hint: email },
        go: go({ to: '/$org/team', params, search: { member: id } }),
      }),
    ),
    ...(keys.data?.data ?? [])
      .filter(({ state }) => state === 'usable')
      .map(
        ({ id, name, last4 }): Item => ({
          ...{ id, kind: 'key', text: name, also: last4, hint: `…${last4}` },
          go: go({ to: '/$org/developers/keys', params, search: { key: id } }),
        }),
      ),
    ...(webhooks.data?.data ?? []).map(({ id, url, description }): Item => {
      const short = shortUrl(url);
      return {
        ...{ id, kind: 'webhook', text: description || short, also: url, hint: description ? short : undefined },
        go: go({ to: '/$org/developers/webhooks/$webhook', params: { org, webhook: id } }),
      };
    }),
  ];
}

const MOST_PAGES = 5;

/** The newest 500 events. */
function useEvents() {
  const { org, may } = useOrganization();
  return useQuery({
    queryKey: ['listEvents', { org }, 'newest'],
    enabled: may('events.read'),
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const all: Event[] = [];
      let cursor: string | null | undefined;
      for (let page = 0; page < MOST_PAGES && cursor !== null; page++) {
        const query = { limit: 100, order: 'newest' as const, ...(cursor !== undefined && { cursor }) };
        const reply = await call('listEvents', { org, query }, { signal });
        all.push(...reply.data);
        cursor = reply.page.next_cursor;
      }
      return all;
    },
  });
}
