import type reports from '../en/reports.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Rapports',
} satisfies Translated<typeof reports>;
