import type importing from '../en/import.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Import',
  platform: 'Importer d’une autre plateforme',
} satisfies Translated<typeof importing>;
