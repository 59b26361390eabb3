import type exporting from '../en/export.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Export',
} satisfies Translated<typeof exporting>;
