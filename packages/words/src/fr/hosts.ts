import type hosts from '../en/hosts.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Hôtes propres',
  lead: 'Affichez vos pages d’inscription sur un hôte à vous, par exemple tickets.example.org. Un enregistrement DNS confirme que l’hôte vous appartient.',
  host: 'Hôte',
  hostHint: 'Le nom seulement, sans https://.',
  add: 'Ajouter un hôte',
  added: '{host} ajouté',
  primary: 'Principal',
  'state.waiting': 'En attente du DNS',
  'state.proved': 'Confirmé',
  'state.missing': 'Enregistrement manquant',
  'state.contested': 'Contesté',
  'about.waiting':
    'Créez cet enregistrement TXT là où vous gérez le domaine et faites pointer l’hôte vers cette installation. Vérifiez ensuite. Un nouvel enregistrement peut mettre une heure à être visible.',
  'about.proved':
    'Vos pages se trouvent sur cet hôte. Laissez l’enregistrement en place : nous le vérifions chaque jour.',
  'about.operator':
    'Vos pages se trouvent sur cet hôte. L’exploitant de cette installation a confirmé qu’il vous appartient.',
  'about.missing':
    'L’enregistrement manque depuis le {since}. Remettez-le avant le {until}, sinon vos pages quittent cet hôte.',
  'about.contested':
    'Votre enregistrement a été trouvé, mais l’hôte est confirmé pour une autre organisation. L’exploitant de cette installation décide à qui il appartient.',
  'found.found': 'Enregistrement trouvé.',
  'found.other_value': 'Il existe des enregistrements de ce nom, mais aucun n’a cette valeur.',
  'found.none': 'Aucun enregistrement de ce nom trouvé.',
  'found.no_answer': 'Le DNS n’a pas répondu. Réessayez plus tard.',
  lastCheck: 'Dernière vérification',
  record: 'Enregistrement DNS',
  recordName: 'Nom de l’enregistrement TXT',
  recordValue: 'Valeur',
  check: 'Vérifier maintenant',
  provedNow: '{host} confirmé. Vos pages s’y trouvent maintenant.',
  makePrimary: 'Rendre principal',
  madePrimary: 'Les liens vers vos pages mènent maintenant à {host}',
  remove: 'Retirer',
  removeTitle: 'Retirer {host} ?',
  removeText:
    'Vos pages quittent cet hôte, et les liens qui y mènent cessent de fonctionner. Si vous l’ajoutez de nouveau, il lui faut un nouvel enregistrement.',
  removed: '{host} retiré',
} satisfies Translated<typeof hosts>;
