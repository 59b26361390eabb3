import type importing from '../en/import.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Import',
  platform: 'Von einer anderen Plattform importieren',
} satisfies Translated<typeof importing>;
