import type owners from '../../en/server/owners.ts';
import type { Translated } from '../../message.ts';

export default {
  hello: 'Hola, {owner}:',
  'key.subject': '{org}: una nueva clave de API con el permiso admin',
  'key.made': '{by} ha creado la clave de API «{key}» para {org}. Sus permisos son: {scopes}.',
  'key.limited': 'Está limitada al grupo {group}.',
  'key.operator': 'El operador de esta instalación',
  'key.may':
    'Con el permiso admin, un programa puede eliminar eventos, borrar los datos de personas, cambiar los grupos y leer el registro.',
  'key.revoke':
    'Si no sabe para qué sirve esta clave, revóquela en la aplicación, en «Desarrolladores». Dejará de funcionar de inmediato.',
  'host_missing.subject': '{org}: falta el registro DNS de {host}',
  'host_missing.line1':
    'Las páginas de inscripción de {org} están en {host}. El registro DNS que demuestra que este host es suyo ya no existe.',
  'host_missing.line2': 'Vuelva a crearlo: un registro TXT con el nombre {record} y el valor {value}',
  'host_missing.line3':
    'Si falta durante siete días, las páginas vuelven a la dirección de la instalación y los enlaces a este host dejan de funcionar.',
  'host_dropped.subject': '{org}: {host} ya no muestra sus páginas',
  'host_dropped.line1':
    'El registro DNS de {host} falta desde hace siete días. Por eso las páginas de inscripción de {org} ya no están allí, y los enlaces a este host han dejado de funcionar.',
  'host_dropped.line2':
    'Para que vuelvan, cree un registro TXT con el nombre {record} y el valor {value} y compruebe el host en la aplicación, en «Organización».',
  'duplicate_refunded.subject': '{event}: se ha devuelto un segundo pago de {amount}',
  'duplicate_refunded.line1':
    'La inscripción {code} se pagó dos veces en línea. Hemos devuelto el segundo pago, de {amount}, y avisado a quien pagó. La inscripción no cambia.',
  'duplicate_stuck.subject': '{event}: hay que devolver un segundo pago de {amount}',
  'duplicate_stuck.line1':
    'La inscripción {code} se pagó dos veces en línea y el proveedor de pagos no aceptó nuestra devolución del segundo pago, de {amount}. Devuélvalo en la aplicación, en «Dinero», o en el proveedor.',
  'calls.subject': '{org}: se ha usado el {percent} % de las llamadas a la API de este mes',
  'calls.used':
    'las integraciones de {org} han usado el {percent} % de las {calls} llamadas a la API que el plan {plan} incluye para {month}.',
  'calls.some':
    'Nada se detiene al 100 %. Por encima del 150 %, las llamadas se rechazan hasta el día 1 del mes siguiente (UTC).',
  'calls.all':
    'Sus integraciones siguen funcionando hasta el 150 %. Por encima, las llamadas se rechazan hasta el día 1 del mes siguiente (UTC).',
  'calls.plan': 'Para tener más llamadas de inmediato, cambie a un plan superior.',
  'webhook_failing.subject': '{org}: el webhook a {host} falla',
  'webhook_failing.line1': 'Las últimas {attempts} entregas a {url} han fallado.',
  'webhook_failing.line2':
    'Seguimos intentándolo. Si el webhook falla durante siete días, lo pausamos. En la aplicación, la lista «Entregas» dice por qué ha fallado cada una.',
  'webhook_paused.subject': '{org}: el webhook a {host} está en pausa',
  'webhook_paused.line1':
    'El webhook a {url} lleva siete días fallando, así que lo hemos pausado y ya no enviamos nada allí.',
  'webhook_paused.line2': 'Seguimos guardando lo que ocurre. Reanude el webhook y lo enviaremos todo.',
} satisfies Translated<typeof owners>;
