import type hosts from '../en/hosts.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Hosts propios',
  lead: 'Muestre sus páginas de inscripción en un host propio, como tickets.example.org. Un registro DNS confirma que el host es suyo.',
  host: 'Host',
  hostHint: 'Solo el nombre, sin https://.',
  add: 'Añadir host',
  added: '{host} añadido',
  primary: 'Principal',
  'state.waiting': 'A la espera del DNS',
  'state.proved': 'Confirmado',
  'state.missing': 'Falta el registro',
  'state.contested': 'En disputa',
  'about.waiting':
    'Cree este registro TXT donde gestiona el dominio y haga que el host lleve a esta instalación. Después, compruébelo. Un registro nuevo puede tardar una hora en verse.',
  'about.proved': 'Sus páginas están en este host. No quite el registro: lo comprobamos cada día.',
  'about.operator': 'Sus páginas están en este host. El operador de esta instalación ha confirmado que es suyo.',
  'about.missing':
    'El registro falta desde el {since}. Vuelva a ponerlo antes del {until}; si no, sus páginas dejarán este host.',
  'about.contested':
    'Se ha encontrado su registro, pero el host está confirmado para otra organización. El operador de esta instalación decide de quién es.',
  'found.found': 'Registro encontrado.',
  'found.other_value': 'Hay registros con este nombre, pero ninguno tiene este valor.',
  'found.none': 'Ningún registro encontrado con este nombre.',
  'found.no_answer': 'El DNS no ha respondido. Inténtelo más tarde.',
  lastCheck: 'Última comprobación',
  record: 'Registro DNS',
  recordName: 'Nombre del registro TXT',
  recordValue: 'Valor',
  check: 'Comprobar ahora',
  provedNow: '{host} confirmado. Sus páginas ya están allí.',
  makePrimary: 'Hacer principal',
  madePrimary: 'Los enlaces a sus páginas llevan ahora a {host}',
  remove: 'Quitar',
  removeTitle: '¿Quitar {host}?',
  removeText:
    'Sus páginas dejarán este host y los enlaces a él no funcionarán. Si lo añade de nuevo, necesitará un registro nuevo.',
  removed: '{host} quitado',
} satisfies Translated<typeof hosts>;
