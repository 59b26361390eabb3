import type messages from '../en/messages.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Mensajes',
  newTitle: 'Mensaje nuevo',
  one: 'Mensaje',
} satisfies Translated<typeof messages>;
