import type news from '../../en/server/news.ts';
import type { Translated } from '../../message.ts';

export default {
  test: 'Esto es una prueba. Solo la han recibido las direcciones indicadas.',
  unsubscribe: 'Darse de baja',
  ask: '¿Darse de baja de {organization}?',
  explain: 'No recibirá más novedades. Seguirá recibiendo los correos sobre sus inscripciones.',
  done: 'Se ha dado de baja. Ya no recibirá novedades de {organization}.',
  again: 'Volver a suscribirme',
  welcome: 'Vuelve a recibir novedades de {organization}.',
} satisfies Translated<typeof news>;
