import type importing from '../en/import.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Importar',
  platform: 'Importar de otra plataforma',
} satisfies Translated<typeof importing>;
