import type exporting from '../en/export.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Exportar',
} satisfies Translated<typeof exporting>;
