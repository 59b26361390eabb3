import type groups from '../en/groups.ts';
import type { Translated } from '../message.ts';

export default {
  title: '{@Groups}',
  lead: 'Regiones, secciones o equipos. Miembros, claves y escáneres se pueden limitar a uno, con todo lo que hay debajo.',
  add: 'Añadir: {@group}',
  addBelow: 'Añadir debajo de {name}',
  below: 'Añadir debajo',
  change: 'Cambiar nombre',
  move: 'Mover',
  moveTitle: 'Mover {name}',
  moveHint:
    'Todo lo que hay debajo se mueve también. Los puntos de registro que admiten ciertos {@groups} lo siguen de inmediato.',
  delete: 'Eliminar',
  deleteTitle: '¿Eliminar {name}?',
  deleteText: 'Solo se puede eliminar un {@group} al que no pertenece nada.',
  changeTitle: 'Cambiar el nombre de {name}',
  name: 'Nombre',
  code: 'Código',
  codeHint: 'Figura en archivos y direcciones. Si se deja vacío, se forma a partir del nombre.',
  parent: 'Pertenece a',
  top: 'Nada por encima',
  added: 'Se añadió {name}.',
  moved: 'Se movió {name}.',
  deleted: 'Se eliminó {name}.',
  actionsOf: 'Acciones de {name}',
  emptyTitle: 'Todavía no hay {@groups}',
  emptyText:
    'La mayoría de las organizaciones no los necesitan. Úselos cuando partes de la suya deban ver y gestionar solo a su propia gente.',
} satisfies Translated<typeof groups>;
