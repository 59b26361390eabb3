import type messages from '../en/messages.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Messages',
  newTitle: 'Nouveau message',
  one: 'Message',
} satisfies Translated<typeof messages>;
