import type news from '../../en/server/news.ts';
import type { Translated } from '../../message.ts';

export default {
  test: 'Esto es una prueba. Solo la han recibido las direcciones indicadas.',
  unsubscribe: 'Darse de baja',
  ask: '¿No recibir más novedades de {organization}?',
  explain: 'Seguirá recibiendo los mensajes sobre sus inscripciones.',
  done: 'Ya no recibirá novedades de {organization}.',
  again: 'Quiero volver a recibir novedades',
  welcome: 'Vuelve a recibir novedades de {organization}.',
} satisfies Translated<typeof news>;
