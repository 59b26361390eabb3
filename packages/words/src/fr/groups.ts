import type groups from '../en/groups.ts';
import type { Translated } from '../message.ts';

export default {
  title: '{@Groups}',
  lead: 'Pour les régions, sections ou équipes. Vous pouvez limiter les membres, les clés et les scanners à l’une d’elles et à tout ce qui en dépend.',
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
  deleteText: 'Vous ne pouvez supprimer qu’un {@group} auquel rien n’appartient. Cette action est irréversible.',
  changeTitle: 'Renommer {name}',
  name: 'Nom',
  code: 'Code',
  codeHint: 'Pour les fichiers et les adresses web. Laissez vide pour le former à partir du nom.',
  parent: 'Appartient à',
  top: 'Niveau supérieur',
  added: 'Ajout effectué : {name}',
  moved: 'Déplacement effectué : {name}',
  deleted: 'Suppression effectuée : {name}',
  actionsOf: 'Actions pour {name}',
  emptyTitle: 'Pas encore de {@groups}',
  emptyText:
    'La plupart des organisations n’en ont pas besoin. Utilisez-les lorsque des parties de la vôtre ne doivent voir et gérer que leurs propres personnes.',
} satisfies Translated<typeof groups>;
