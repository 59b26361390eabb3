import type palette from '../en/palette.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Suchen',
  placeholder: 'Seite, {@event}, Mitglied, Schlüssel …',
  results: 'Treffer',
  nothing: 'Nichts heißt „{text}“.',
  found: { one: 'Ein Treffer', other: '{count} Treffer' },
  help: 'Pfeiltasten wählen, Eingabe öffnet, Esc schließt.',
  'kind.screen': 'Seiten',
  'kind.action': 'Aktionen',
  'kind.event': '{@Events}',
  'kind.member': 'Mitglieder',
  'kind.key': 'Schlüssel',
  'kind.webhook': 'Webhooks',
  home: 'Übersicht',
  groups: '{@Groups}',
  team: 'Team',
  keys: 'Schlüssel',
  webhooks: 'Webhooks',
  audit: 'Protokoll',
  organization: 'Organisation',
  account: 'Konto',
  invite: 'Jemanden einladen',
  createKey: 'Schlüssel anlegen',
  createWebhook: 'Webhook anlegen',
} satisfies Translated<typeof palette>;
