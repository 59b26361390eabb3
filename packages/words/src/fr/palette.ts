import type palette from '../en/palette.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Rechercher',
  placeholder: 'Page, {@event}, membre, clé…',
  results: 'Résultats',
  nothing: 'Rien ne s’appelle « {text} ».',
  found: { one: 'Un résultat', other: '{count} résultats' },
  help: 'Flèches pour choisir, Entrée pour ouvrir, Échap pour fermer.',
  'kind.screen': 'Pages',
  'kind.action': 'Actions',
  'kind.event': '{@Events}',
  'kind.member': 'Membres',
  'kind.key': 'Clés',
  'kind.webhook': 'Webhooks',
  home: 'Accueil',
  groups: '{@Groups}',
  team: 'Équipe',
  keys: 'Clés',
  webhooks: 'Webhooks',
  audit: 'Journal d’audit',
  organization: 'Organisation',
  account: 'Compte',
  invite: 'Inviter quelqu’un',
  createKey: 'Créer une clé',
  createWebhook: 'Créer un webhook',
} satisfies Translated<typeof palette>;
