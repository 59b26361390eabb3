import type hosts from '../en/hosts.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Hôtes propres',
  lead: 'Vos pages d’inscription peuvent se trouver sur un hôte à vous, par exemple tickets.example.org. Un enregistrement DNS prouve qu’il vous appartient.',
  host: 'Hôte',
  hostHint: 'Le nom seul, sans https://.',
  add: 'Ajouter un hôte',
  added: '{host} a été ajouté.',
  primary: 'Principal',
  'state.waiting': 'En attente de l’enregistrement',
  'state.proved': 'Prouvé',
  'state.missing': 'Enregistrement manquant',
  'state.contested': 'Contesté',
  'about.waiting':
    'Créez cet enregistrement TXT là où vous gérez le domaine et faites pointer l’hôte vers cette installation. Vérifiez ensuite. Un nouvel enregistrement peut mettre une heure à être visible.',
  'about.proved': 'Vos pages se trouvent ici. Laissez l’enregistrement en place : il est vérifié chaque jour.',
  'about.operator':
    'Vos pages se trouvent ici. L’exploitant de cette installation a confirmé que l’hôte vous appartient.',
  'about.missing':
    'L’enregistrement manque depuis le {since}. S’il n’est pas revenu le {until}, vos pages quittent cet hôte.',
  'about.contested':
    'Votre enregistrement a été trouvé, mais l’hôte est prouvé pour une autre organisation. L’exploitant de cette installation décide à qui il appartient.',
  'found.found': 'L’enregistrement a été trouvé.',
  'found.other_value': 'Il existe des enregistrements de ce nom, mais aucun n’a cette valeur.',
  'found.none': 'Aucun enregistrement de ce nom n’a été trouvé.',
  'found.no_answer': 'Le DNS n’a pas répondu. Réessayez plus tard.',
  lastCheck: 'Dernière vérification',
  record: 'L’enregistrement',
  recordName: 'Nom de l’enregistrement TXT',
  recordValue: 'Valeur',
  check: 'Vérifier maintenant',
  provedNow: '{host} est prouvé. Vos pages s’y trouvent maintenant.',
  makePrimary: 'Rendre principal',
  madePrimary: 'Les liens vers vos pages mènent maintenant à {host}.',
  remove: 'Retirer',
  removeTitle: 'Retirer {host} ?',
  removeText:
    'Vos pages ne se trouvent alors plus sur cet hôte, et les liens qui y mènent cessent de fonctionner. Si vous l’ajoutez de nouveau, il lui faut un autre enregistrement.',
  removed: '{host} a été retiré.',
} satisfies Translated<typeof hosts>;
