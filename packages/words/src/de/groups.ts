import type groups from '../en/groups.ts';
import type { Translated } from '../message.ts';

export default {
  title: '{@Groups}',
  lead: 'Für Regionen, Ortsgruppen oder Teams. Sie können Mitglieder, Schlüssel und Scanner auf eine davon und alles darunter beschränken.',
  add: '{@Group} hinzufügen',
  addBelow: 'Unter {name} hinzufügen',
  below: 'Darunter hinzufügen',
  change: 'Umbenennen',
  move: 'Verschieben',
  moveTitle: '{name} verschieben',
  moveHint:
    'Alles darunter wird mit verschoben. Check-in-Punkte, die bestimmte {@groups} einlassen, richten sich sofort danach.',
  delete: 'Löschen',
  deleteTitle: '{name} löschen?',
  deleteText: 'Sie können nur löschen, wozu nichts mehr gehört. Das lässt sich nicht rückgängig machen.',
  changeTitle: '{name} umbenennen',
  name: 'Name',
  code: 'Kürzel',
  codeHint: 'Für Dateien und Webadressen. Leer lassen, um es aus dem Namen zu bilden.',
  parent: 'Gehört zu',
  top: 'Oberste Ebene',
  added: '{name} hinzugefügt',
  moved: '{name} verschoben',
  deleted: '{name} gelöscht',
  actionsOf: 'Aktionen für {name}',
  emptyTitle: 'Noch keine {@groups}',
  emptyText:
    'Die meisten Organisationen brauchen keine. Nutzen Sie sie, wenn Teile Ihrer Organisation nur ihre eigenen Leute sehen und verwalten sollen.',
} satisfies Translated<typeof groups>;
