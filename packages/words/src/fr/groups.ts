import type groups from '../en/groups.ts';
import type { Translated } from '../message.ts';

export default {
  title: '{@Groups}',
  lead: 'Régions, sections ou équipes. Les membres, les clés et les scanners peuvent être limités à l’une d’elles, avec tout ce qui en dépend.',
  add: 'Ajouter',
  addBelow: 'Ajouter sous {name}',
  below: 'Ajouter en dessous',
  change: 'Renommer',
  move: 'Déplacer',
  moveTitle: 'Déplacer {name}',
  moveHint:
    'Tout ce qui est en dessous suit. Les points d’entrée qui admettent certains {@groups} en tiennent compte aussitôt.',
  delete: 'Supprimer',
  deleteTitle: 'Supprimer {name} ?',
  deleteText: 'Seul un {@group} auquel rien n’appartient peut être supprimé.',
  changeTitle: 'Renommer {name}',
  name: 'Nom',
  code: 'Code',
  codeHint: 'Figure dans les fichiers et adresses. Laissé vide, il est formé à partir du nom.',
  parent: 'Appartient à',
  top: 'Rien au-dessus',
  added: '{name} a été ajouté.',
  moved: '{name} a été déplacé.',
  deleted: '{name} a été supprimé.',
  actionsOf: 'Actions pour {name}',
  emptyTitle: 'Pas encore de {@groups}',
  emptyText:
    'La plupart des organisations n’en ont pas besoin. Utilisez-les lorsque des parties de la vôtre ne doivent voir et gérer que leurs propres personnes.',
} satisfies Translated<typeof groups>;
