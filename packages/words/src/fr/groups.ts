import type groups from '../en/groups.ts';
import type { Translated } from '../message.ts';

export default {
  title: '{@Groups}',
  lead: 'Régions, sections ou équipes. Membres, clés et scanners peuvent être limités à l’un d’eux, avec tout ce qui est en dessous.',
  add: 'Ajouter : {@group}',
  addBelow: 'Ajouter sous {name}',
  below: 'Ajouter en dessous',
  change: 'Renommer',
  move: 'Déplacer',
  moveTitle: 'Déplacer {name}',
  moveHint:
    'Tout ce qui est en dessous suit. Les points d’enregistrement qui admettent certains {@groups} suivent aussitôt.',
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
