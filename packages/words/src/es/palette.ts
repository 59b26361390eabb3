import type palette from '../en/palette.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Buscar',
  placeholder: 'Página, {@event}, miembro, clave…',
  results: 'Resultados',
  nothing: 'Nada se llama «{text}».',
  found: { one: 'Un resultado', other: '{count} resultados' },
  help: 'Flechas para elegir, Intro para abrir, Esc para cerrar.',
  'kind.screen': 'Páginas',
  'kind.action': 'Acciones',
  'kind.event': '{@Events}',
  'kind.member': 'Miembros',
  'kind.key': 'Claves',
  'kind.webhook': 'Webhooks',
  home: 'Inicio',
  groups: '{@Groups}',
  team: 'Equipo',
  keys: 'Claves',
  webhooks: 'Webhooks',
  audit: 'Registro de auditoría',
  organization: 'Organización',
  account: 'Cuenta',
  invite: 'Invitar a alguien',
  createKey: 'Crear clave',
  createWebhook: 'Crear webhook',
} satisfies Translated<typeof palette>;
