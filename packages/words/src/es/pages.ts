import type pages from '../en/pages.ts';
import type { Translated } from '../message.ts';

export default {
  skip: 'Ir al contenido',
  imprint: 'Aviso legal',
  privacy: 'Privacidad',
  findMine: 'Encontrar: {@registration}',
  languages: 'Idioma',
  missingTitle: 'Aquí no hay nada',
  missingText: 'Puede que la dirección esté mal escrita o que lo que había aquí ya haya terminado.',
  failedTitle: 'No ha funcionado',
  allEvents: 'Ver todo: {@events}',
} satisfies Translated<typeof pages>;
