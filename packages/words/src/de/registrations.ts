import type registrations from '../en/registrations.ts';
import type { Translated } from '../message.ts';

export default {
  title: '{@Registrations}',
  one: '{@Registration}',
  newTitle: 'Personen hinzufügen',
} satisfies Translated<typeof registrations>;
