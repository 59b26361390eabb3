import type booking from '../en/booking.ts';
import type { Translated } from '../message.ts';

export default {
  products: 'Produkte',
  together: 'Für die ganze {@registration}',
  change: 'Produkte ändern',
  save: 'Speichern',
  changed: 'Produkte geändert',
  nothing: 'Nichts gebucht.',
  priceStays: 'Was bleibt, behält seinen Preis. Was dazukommt, kostet den Preis von jetzt.',
  withOption: '{name} ({option})',
  times: { one: '{count} × {what}', other: '{count} × {what}' },
  each: 'je {price}',
  off: '−{amount}',
  free: 'Kostenlos',
  handedOut: 'Ausgegeben',
  handedOutOf: { one: '{handed} von {of} ausgegeben', other: '{handed} von {of} ausgegeben' },
  code: 'Rabattcode',
  beforeCode: 'Summe ohne Rabatt',
  none: 'Nichts',
  left: 'noch {left}',
  soldOut: 'Ausverkauft',
  hidden: 'Nicht im Formular',
  notYetOnSale: 'Noch nicht im Verkauf',
  saleOver: 'Verkauf beendet',
  withPrice: '{name} · {price}',
  withPriceEach: '{name} · je {price}',
} satisfies Translated<typeof booking>;
