/** Mails to the owners of an organization. A line may begin with a small letter after the greeting, as letters do; it is written with a capital one. */
export default {
  hello: 'Hello {owner},',
  'key.subject': '{org}: a new API key with the scope admin',
  'key.made': '{by} has created the API key “{key}” for {org}. Its scopes are: {scopes}.',
  'key.limited': 'It is limited to the group {group}.',
  'key.operator': 'The operator of this installation',
  'key.may': 'With the scope admin, a program can delete events, erase people, change groups and read the audit log.',
  'key.revoke':
    'If you do not know what the key is for, revoke it in the app under Developers. It then stops working at once.',
  'host_missing.subject': '{org}: the DNS record of {host} is missing',
  'host_missing.line1':
    'The registration pages of {org} are at {host}. The DNS record that proves that this host is yours is no longer there.',
  'host_missing.line2': 'Please make it again: a TXT record with the name {record} and the value {value}',
  'host_missing.line3':
    'If it stays missing for seven days, the pages move back to the address of the installation, and links to this host stop working.',
  'host_dropped.subject': '{org}: {host} no longer shows your pages',
  'host_dropped.line1':
    'The DNS record of {host} has been missing for seven days, so the registration pages of {org} are no longer there. Links to this host have stopped working.',
  'host_dropped.line2':
    'To have the pages there again, make a TXT record with the name {record} and the value {value} and check the host in the app, under Organization.',
  'duplicate_refunded.subject': '{event}: a second payment of {amount} was refunded',
  'duplicate_refunded.line1':
    'The registration {code} was paid online twice. The second payment, {amount}, was refunded at the payment provider, and the payer was told. The registration stays as it is.',
  'duplicate_stuck.subject': '{event}: a second payment of {amount} could not be refunded',
  'duplicate_stuck.line1':
    'The registration {code} was paid online twice. The payment provider did not accept the refund of the second payment, {amount}. Please refund it in the app, under Payments, or at the payment provider.',
  'calls.subject': "{org}: {percent} % of this month's API calls are used",
  'calls.used':
    'the integrations of {org} have used {percent} % of the {calls} API calls that the plan {plan} includes for {month}.',
  'calls.some':
    'Your integrations keep working at 100 %. Above 150 %, calls are refused until the 1st of next month (UTC).',
  'calls.all':
    'Your integrations keep working until 150 % of the calls are used. After that, calls are refused until the 1st of next month (UTC).',
  'calls.plan': 'A larger plan includes more calls from the moment you change to it.',
  'webhook_failing.subject': '{org}: the webhook endpoint at {host} is failing',
  'webhook_failing.line1': '{attempts} attempts in a row to deliver webhooks to {url} have failed.',
  'webhook_failing.line2':
    'We keep trying. If the endpoint fails for seven days, we pause it. The delivery log says why each attempt failed.',
  'webhook_paused.subject': '{org}: the webhook endpoint at {host} is paused',
  'webhook_paused.line1':
    '{url} has been failing for seven days, so we have paused it and send nothing there any more.',
  'webhook_paused.line2': 'We keep recording what happens, and send it once you enable the endpoint again.',
} as const;
