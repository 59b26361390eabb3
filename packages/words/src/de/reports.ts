import type reports from '../en/reports.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Berichte',
} satisfies Translated<typeof reports>;
