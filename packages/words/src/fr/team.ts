import type team from '../en/team.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Équipe',
} satisfies Translated<typeof team>;
