import type hosts from '../en/hosts.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Eigene Hosts',
  lead: 'Zeigen Sie Ihre Anmeldeseiten unter einem eigenen Host, etwa tickets.example.org. Ein DNS-Eintrag bestätigt, dass der Host Ihnen gehört.',
  host: 'Host',
  hostHint: 'Nur der Name, ohne https://.',
  add: 'Host hinzufügen',
  added: '{host} hinzugefügt',
  primary: 'Haupthost',
  'state.waiting': 'Wartet auf DNS-Eintrag',
  'state.proved': 'Bestätigt',
  'state.missing': 'DNS-Eintrag fehlt',
  'state.contested': 'Umstritten',
  'about.waiting':
    'Legen Sie diesen TXT-Eintrag dort an, wo Sie die Domain verwalten, und lassen Sie den Host zu dieser Installation führen. Prüfen Sie dann. Ein neuer Eintrag erscheint manchmal erst nach einer Stunde.',
  'about.proved': 'Ihre Seiten liegen unter diesem Host. Lassen Sie den Eintrag bestehen: Wir prüfen ihn täglich.',
  'about.operator':
    'Ihre Seiten liegen unter diesem Host. Der Betreiber dieser Installation hat bestätigt, dass er Ihnen gehört.',
  'about.missing':
    'Der Eintrag fehlt seit {since}. Legen Sie ihn bis {until} wieder an, sonst verlassen Ihre Seiten diesen Host.',
  'about.contested':
    'Ihr Eintrag wurde gefunden, aber der Host ist für eine andere Organisation bestätigt. Der Betreiber dieser Installation entscheidet, wem er gehört.',
  'found.found': 'Eintrag gefunden.',
  'found.other_value': 'Es gibt Einträge mit diesem Namen, aber keiner hat diesen Wert.',
  'found.none': 'Kein Eintrag mit diesem Namen gefunden.',
  'found.no_answer': 'DNS hat nicht geantwortet. Versuchen Sie es später noch einmal.',
  lastCheck: 'Zuletzt geprüft',
  record: 'DNS-Eintrag',
  recordName: 'Name des TXT-Eintrags',
  recordValue: 'Wert',
  check: 'Jetzt prüfen',
  provedNow: '{host} bestätigt. Ihre Seiten liegen jetzt dort.',
  makePrimary: 'Zum Haupthost machen',
  madePrimary: 'Links zu Ihren Seiten führen jetzt zu {host}',
  remove: 'Entfernen',
  removeTitle: '{host} entfernen?',
  removeText:
    'Ihre Seiten verlassen diesen Host, und Links dorthin funktionieren nicht mehr. Wenn Sie ihn wieder hinzufügen, braucht er einen neuen Eintrag.',
  removed: '{host} entfernt',
} satisfies Translated<typeof hosts>;
