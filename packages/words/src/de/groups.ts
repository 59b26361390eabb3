import type groups from '../en/groups.ts';
import type { Translated } from '../message.ts';

export default {
  title: '{@Groups}',
  lead: 'Regionen, Ortsgruppen oder Teams. Mitglieder, Schlüssel und Scanner können auf eine davon begrenzt werden, mit allem darunter.',
  add: '{@Group} hinzufügen',
  addBelow: 'Unter {name} hinzufügen',
  below: 'Darunter hinzufügen',
  change: 'Umbenennen',
  move: 'Verschieben',
  moveTitle: '{name} verschieben',
  moveHint:
    'Alles darunter wandert mit. Check-in-Punkte, die bestimmte {@groups} einlassen, richten sich sofort danach.',
  delete: 'Löschen',
  deleteTitle: '{name} löschen?',
  deleteText: 'Nur eine {@group}, zu der nichts gehört, kann gelöscht werden.',
  changeTitle: '{name} umbenennen',
  name: 'Name',
  code: 'Kürzel',
  codeHint: 'Steht in Dateien und Adressen. Leer gelassen, wird es aus dem Namen gebildet.',
  parent: 'Gehört zu',
  top: 'Nichts darüber',
  added: '{name} wurde hinzugefügt.',
  moved: '{name} wurde verschoben.',
  deleted: '{name} wurde gelöscht.',
  actionsOf: 'Aktionen für {name}',
  emptyTitle: 'Noch keine {@groups}',
  emptyText:
    'Die meisten Organisationen brauchen keine. Nutzen Sie sie, wenn Teile Ihrer Organisation nur ihre eigenen Leute sehen und verwalten sollen.',
} satisfies Translated<typeof groups>;
