import type messages from '../en/messages.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Nachrichten',
  newTitle: 'Neue Nachricht',
  one: 'Nachricht',
} satisfies Translated<typeof messages>;
