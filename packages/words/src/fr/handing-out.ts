import type handingOut from '../en/handing-out.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Remise',
  forAll: 'Pour toute l’{@registration}',
  withOption: '{name}, {option}',
  done: 'Remis',
  some: '{done} sur {count} remis',
  handOut: 'Remettre',
  handOutOf: 'Remettre {name}',
  waits: 'À remettre dès que l’{@registration} est confirmée.',
  by: '{when}, {name}',
  surplus: 'Remis alors qu’il ne restait rien',
  undo: 'Annuler',
  undoOf: 'Annuler la remise de {name}',
  undoTitle: 'Annuler cette remise ?',
  undoText: '{name} pourra être remis à nouveau.',
  surplusText: 'Cet article a été remis en trop. Il est seulement marqué comme repris.',
  reason: 'Motif',
  reasonHint: 'Il est conservé dans le journal.',
  back: 'Retour',
  wasHandedOut: '{name} remis',
  wasUndone: 'Remise annulée',
} satisfies Translated<typeof handingOut>;
