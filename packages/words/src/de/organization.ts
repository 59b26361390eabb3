import type organization from '../en/organization.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Organisation',
} satisfies Translated<typeof organization>;
