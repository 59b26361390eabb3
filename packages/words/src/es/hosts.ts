import type hosts from '../en/hosts.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Hosts propios',
  lead: 'Sus páginas de inscripción pueden estar en un host propio, como tickets.example.org. Un registro DNS demuestra que es suyo.',
  host: 'Host',
  hostHint: 'Solo el nombre, sin https://.',
  add: 'Añadir host',
  added: 'Se ha añadido {host}.',
  primary: 'Principal',
  'state.waiting': 'A la espera del registro',
  'state.proved': 'Demostrado',
  'state.missing': 'Falta el registro',
  'state.contested': 'En disputa',
  'about.waiting':
    'Cree este registro TXT donde gestiona el dominio y haga que el host lleve a esta instalación. Después, compruébelo. Un registro nuevo puede tardar una hora en verse.',
  'about.proved': 'Sus páginas están aquí. No quite el registro: se comprueba cada día.',
  'about.operator': 'Sus páginas están aquí. El operador de esta instalación ha confirmado que el host es suyo.',
  'about.missing': 'El registro falta desde el {since}. Si no vuelve antes del {until}, sus páginas dejarán este host.',
  'about.contested':
    'Se ha encontrado su registro, pero el host está demostrado para otra organización. El operador de esta instalación decide de quién es.',
  'found.found': 'Se ha encontrado el registro.',
  'found.other_value': 'Hay registros con este nombre, pero ninguno tiene este valor.',
  'found.none': 'No se ha encontrado ningún registro con este nombre.',
  'found.no_answer': 'El DNS no ha respondido. Inténtelo más tarde.',
  lastCheck: 'Última comprobación',
  record: 'El registro',
  recordName: 'Nombre del registro TXT',
  recordValue: 'Valor',
  check: 'Comprobar ahora',
  provedNow: '{host} está demostrado. Sus páginas ya están allí.',
  makePrimary: 'Hacer principal',
  madePrimary: 'Los enlaces a sus páginas llevan ahora a {host}.',
  remove: 'Quitar',
  removeTitle: '¿Quitar {host}?',
  removeText:
    'Sus páginas dejarán de estar en este host y los enlaces a él no funcionarán. Si lo añade de nuevo, necesitará otro registro.',
  removed: 'Se ha quitado {host}.',
} satisfies Translated<typeof hosts>;
