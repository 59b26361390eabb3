import type groups from '../en/groups.ts';
import type { Translated } from '../message.ts';

export default {
  title: '{@Groups}',
  lead: 'Para regiones, secciones o equipos. Puede limitar los miembros, las claves y los escáneres a uno y a todo lo que hay debajo.',
  add: 'Añadir {@group}',
  addBelow: 'Añadir debajo de {name}',
  below: 'Añadir debajo',
  change: 'Cambiar el nombre',
  move: 'Mover',
  moveTitle: 'Mover {name}',
  moveHint:
    'Todo lo que hay debajo se mueve también. Los puntos de acceso que admiten ciertos {@groups} lo tienen en cuenta de inmediato.',
  delete: 'Eliminar',
  deleteTitle: '¿Eliminar {name}?',
  deleteText: 'Solo puede eliminar un {@group} al que no pertenezca nada. No se puede deshacer.',
  changeTitle: 'Cambiar el nombre de {name}',
  name: 'Nombre',
  code: 'Código',
  codeHint: 'Para archivos y direcciones web. Déjelo vacío para formarlo a partir del nombre.',
  parent: 'Pertenece a',
  top: 'Nivel superior',
  added: 'Se ha añadido {name}',
  moved: 'Se ha movido {name}',
  deleted: 'Se ha eliminado {name}',
  actionsOf: 'Acciones para {name}',
  emptyTitle: 'Todavía no hay {@groups}',
  emptyText:
    'La mayoría de las organizaciones no los necesitan. Úselos cuando partes de la suya deban ver y gestionar solo a su propia gente.',
} satisfies Translated<typeof groups>;
