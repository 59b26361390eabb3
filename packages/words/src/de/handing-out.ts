import type handingOut from '../en/handing-out.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Ausgabe',
  forAll: 'Für die ganze {@registration}',
  withOption: '{name}, {option}',
  done: 'Ausgegeben',
  some: '{done} von {count} ausgegeben',
  handOut: 'Ausgeben',
  handOutOf: '{name} ausgeben',
  waits: 'Wird ausgegeben, sobald die {@registration} bestätigt ist.',
  by: '{when}, {name}',
  surplus: 'Ausgegeben, obwohl nichts mehr offen war',
  undo: 'Zurücknehmen',
  undoOf: 'Ausgabe von {name} zurücknehmen',
  undoTitle: 'Diese Ausgabe zurücknehmen?',
  undoText: '{name} kann danach noch einmal ausgegeben werden.',
  surplusText: 'Diese wurde zu viel ausgegeben. Sie wird nur als zurückgenommen vermerkt.',
  reason: 'Grund',
  reasonHint: 'Er steht danach im Protokoll.',
  back: 'Zurück',
  wasHandedOut: '{name} ausgegeben',
  wasUndone: 'Ausgabe zurückgenommen',
} satisfies Translated<typeof handingOut>;
