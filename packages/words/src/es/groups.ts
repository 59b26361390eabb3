import type groups from '../en/groups.ts';
import type { Translated } from '../message.ts';

export default {
  title: '{@Groups}',
  lead: 'Regiones, secciones o equipos. Los miembros, las claves y los escáneres se pueden limitar a uno, con todo lo que hay debajo.',
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
  deleteText: 'Solo se puede eliminar un {@group} al que no pertenezca nada.',
  changeTitle: 'Cambiar el nombre de {name}',
  name: 'Nombre',
  code: 'Código',
  codeHint: 'Figura en archivos y direcciones. Si se deja vacío, se forma a partir del nombre.',
  parent: 'Pertenece a',
  top: 'Nada por encima',
  added: 'Se ha añadido {name}.',
  moved: 'Se ha movido {name}.',
  deleted: 'Se ha eliminado {name}.',
  actionsOf: 'Acciones para {name}',
  emptyTitle: 'Todavía no hay {@groups}',
  emptyText:
    'La mayoría de las organizaciones no los necesitan. Úselos cuando partes de la suya deban ver y gestionar solo a su propia gente.',
} satisfies Translated<typeof groups>;
