import type owners from '../../en/server/owners.ts';
import type { Translated } from '../../message.ts';

export default {
  hello: 'Hallo {owner},',
  'key.subject': '{org}: ein neuer API-Schlüssel mit dem Recht admin',
  'key.made': '{by} hat für {org} den API-Schlüssel „{key}“ erstellt. Seine Rechte sind: {scopes}.',
  'key.limited': 'Er ist auf die Gruppe {group} beschränkt.',
  'key.operator': 'Der Betreiber dieser Installation',
  'key.may':
    'Mit dem Recht admin kann ein Programm Veranstaltungen löschen, Personendaten löschen, Gruppen ändern und das Protokoll lesen.',
  'key.revoke':
    'Wenn Sie nicht wissen, wofür der Schlüssel da ist, widerrufen Sie ihn in der App unter „Entwickler“. Er gilt dann sofort nicht mehr.',
  'host_missing.subject': '{org}: Der DNS-Eintrag von {host} fehlt',
  'host_missing.line1':
    'Die Anmeldeseiten von {org} liegen unter {host}. Der DNS-Eintrag, der belegt, dass dieser Host Ihnen gehört, ist nicht mehr da.',
  'host_missing.line2': 'Legen Sie ihn wieder an: einen TXT-Eintrag mit dem Namen {record} und dem Wert {value}',
  'host_missing.line3':
    'Fehlt er sieben Tage lang, ziehen die Seiten zurück an die Adresse der Installation, und Links zu diesem Host funktionieren nicht mehr.',
  'host_dropped.subject': '{org}: {host} zeigt Ihre Seiten nicht mehr',
  'host_dropped.line1':
    'Der DNS-Eintrag von {host} fehlt seit sieben Tagen. Die Anmeldeseiten von {org} liegen deshalb nicht mehr dort, und Links zu diesem Host funktionieren nicht mehr.',
  'host_dropped.line2':
    'Damit die Seiten wieder dort liegen, legen Sie einen TXT-Eintrag mit dem Namen {record} und dem Wert {value} an und prüfen Sie den Host in der App unter „Organisation“.',
  'duplicate_refunded.subject': '{event}: Eine zweite Zahlung über {amount} wurde erstattet',
  'duplicate_refunded.line1':
    'Die Anmeldung {code} wurde zweimal online bezahlt. Wir haben die zweite Zahlung über {amount} erstattet und die zahlende Person benachrichtigt. Die Anmeldung ändert sich nicht.',
  'duplicate_stuck.subject': '{event}: Bitte eine zweite Zahlung über {amount} erstatten',
  'duplicate_stuck.line1':
    'Die Anmeldung {code} wurde zweimal online bezahlt, und der Zahlungsdienst hat unsere Erstattung der zweiten Zahlung über {amount} nicht angenommen. Erstatten Sie sie in der App unter „Geld“ oder beim Zahlungsdienst.',
  'calls.subject': '{org}: {percent} % der API-Aufrufe dieses Monats sind verbraucht',
  'calls.used':
    'die Integrationen von {org} haben {percent} % der {calls} API-Aufrufe verbraucht, die der Tarif {plan} für {month} enthält.',
  'calls.some':
    'Bei 100 % wird nichts angehalten. Über 150 % werden Aufrufe bis zum 1. des nächsten Monats (UTC) abgelehnt.',
  'calls.all':
    'Bis 150 % funktionieren Ihre Integrationen weiter. Darüber werden Aufrufe bis zum 1. des nächsten Monats (UTC) abgelehnt.',
  'calls.plan': 'Für sofort mehr Aufrufe wechseln Sie in einen größeren Tarif.',
  'webhook_failing.subject': '{org}: Der Webhook an {host} schlägt fehl',
  'webhook_failing.line1': 'Die letzten {attempts} Zustellungen an {url} sind fehlgeschlagen.',
  'webhook_failing.line2':
    'Wir versuchen es weiter. Schlägt der Webhook sieben Tage lang fehl, halten wir ihn an. In der App steht unter „Zustellungen“, woran jede gescheitert ist.',
  'webhook_paused.subject': '{org}: Der Webhook an {host} ist angehalten',
  'webhook_paused.line1':
    'Der Webhook an {url} schlägt seit sieben Tagen fehl. Deshalb haben wir ihn angehalten und senden nichts mehr dorthin.',
  'webhook_paused.line2': 'Was geschieht, halten wir weiter fest. Setzen Sie den Webhook fort, dann senden wir alles.',
} satisfies Translated<typeof owners>;
