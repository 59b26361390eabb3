import type reports from '../en/reports.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Informes',
} satisfies Translated<typeof reports>;
