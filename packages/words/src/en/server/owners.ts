/** Mails to the owners of an organization. A line may begin with a small letter after the greeting, as letters do; it is written with a capital one. */
export default {
  hello: 'Hello {owner},',
  'key.subject': '{org}: new API key with the scope admin',
  'key.made': '{by} created the API key “{key}” for {org}. Its scopes: {scopes}.',
  'key.limited': 'The key is limited to the group {group}.',
  'key.operator': 'The operator of this installation',
  'key.may': 'With the scope admin, a program can delete events, erase people, change groups and read the audit log.',
  'key.revoke':
    'If you don’t know what the key is for, revoke it in the app under Developers. It stops working at once.',
  'host_missing.subject': '{org}: the DNS record of {host} is missing',
  'host_missing.line1':
    'The registration pages of {org} are at {host}. The DNS record that proves this host is yours is gone.',
  'host_missing.line2': 'Add it again: a TXT record with the name {record} and the value {value}',
  'host_missing.line3':
    'If the record is still missing after seven days, the pages move back to the address of the installation, and links to this host stop working.',
  'host_dropped.subject': '{org}: {host} no longer shows your pages',
  'host_dropped.line1':
    'The DNS record of {host} has been missing for seven days, so this host no longer shows the registration pages of {org}. Links to it have stopped working.',
  'host_dropped.line2':
    'To bring the pages back, add a TXT record with the name {record} and the value {value}. Then check the host in the app under Organization.',
  'duplicate_refunded.subject': '{event}: a second payment of {amount} was refunded',
  'duplicate_refunded.line1':
    'The registration {code} was paid online twice. We refunded the second payment, {amount}, and told the payer. The registration doesn’t change.',
  'duplicate_stuck.subject': '{event}: refund a second payment of {amount}',
  'duplicate_stuck.line1':
    'The registration {code} was paid online twice, and the payment provider didn’t accept our refund of the second payment, {amount}. Refund it in the app under Money, or at the payment provider.',
  'calls.subject': "{org}: {percent} % of this month's API calls are used",
  'calls.used':
    'the integrations of {org} have used {percent} % of the {calls} API calls that the plan {plan} includes for {month}.',
  'calls.some': 'Nothing stops at 100 %. Above 150 %, calls are refused until the 1st of next month (UTC).',
  'calls.all':
    'Your integrations keep working up to 150 %. Above that, calls are refused until the 1st of next month (UTC).',
  'calls.plan': 'To get more calls at once, change to a larger plan.',
  'webhook_failing.subject': '{org}: the webhook endpoint at {host} is failing',
  'webhook_failing.line1': 'The last {attempts} attempts to deliver webhooks to {url} failed.',
  'webhook_failing.line2':
    'We keep trying. If the endpoint fails for seven days, we pause it. The delivery log in the app says why each attempt failed.',
  'webhook_paused.subject': '{org}: the webhook endpoint at {host} is paused',
  'webhook_paused.line1':
    '{url} has been failing for seven days, so we paused it. We don’t send anything there any more.',
  'webhook_paused.line2': 'We keep recording what happens. Enable the endpoint again, and we send it all.',
} as const;
