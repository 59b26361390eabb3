import { type NavigateOptions, useNavigate, useRouter } from '@tanstack/react-router';
import type { Contact } from '@turnout/client';
import { useWords } from '@turnout/ui';
import { shortUrl } from '../../screens/developers/webhooks/webhook-url.ts';
import { useCall } from '../api.ts';
import { useOrganization } from '../organization.tsx';
import { useFoundHere, useScreensHere } from './in-event.ts';
import type { Item } from './item.ts';
import { useSearched } from './search.ts';

/** Everything that this member may open or do, and what the server finds by what was typed. `asking`: more may come. */
export function useItems(typed: string): { items: Item[]; asking: boolean } {
  const { items, asking } = useFound(typed);
  return { items: [...useActions(), ...useScreensHere(), ...useScreens(), ...items, ...useThings()], asking };
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
    may('tenant.settings') && {
      id: 'logo',
      text: t('logo'),
      go: go({ to: '/$org/organization', params, search: { part: 'pages' } }),
    },
    { id: 'account', text: t('account'), go: go({ to: '/-/account' }) },
  ];
  return all.filter((one) => one !== false).map((one) => ({ ...one, kind: 'screen' as const }));
}

/** Events and people, of whom there may be a million, so the server searches them. */
function useFound(typed: string): { items: Item[]; asking: boolean } {
  const { org } = useOrganization();
  const { history } = useRouter();
  const { search, events, contacts, asking } = useSearched(typed);
  const here = useFoundHere(search);
  const go = (path: string) => () => history.push(`/app/${encodeURIComponent(org)}/${path}`);
  const items = [
    ...here.items,
    ...events.map(
      ({ id, code, name }): Item => ({
        ...{ id, kind: 'event', text: name, also: code, hint: code, isFound: true },
        go: go(`events/${encodeURIComponent(code)}`),
      }),
    ),
    ...contacts.map((contact): Item => {
      const { id, email } = contact;
      const text = nameOf(contact) || email || id;
      const hint = email !== null && text !== email ? email : undefined;
      return { ...{ id, kind: 'contact', text, also: hint, hint, isFound: true }, go: go(`contacts/${id}`) };
    }),
  ];
  return { items, asking: asking || here.asking };
}
const nameOf = ({ first_name, last_name }: Contact): string =>
  [first_name, last_name].filter((part) => part !== null).join(' ');

/** Members, keys and endpoints by name. What cannot be asked for is left out. */
function useThings(): Item[] {
  const { org, may } = useOrganization();
  const go = useGo();
  const params = { org };
  const members = useCall('listMembers', { org }, { enabled: may('tenant.members') });
  const keys = useCall('listKeys', { org }, { enabled: may('tenant.api_keys') });
  const webhooks = useCall('listWebhooks', { org, query: { limit: 100 } }, { enabled: may('tenant.integrations') });
  return [
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
