import type hosts from '../en/hosts.ts';
import type { Translated } from '../message.ts';

export default {
  title: 'Eigene Hosts',
  lead: 'Ihre Anmeldeseiten können unter einem eigenen Host liegen, etwa tickets.example.org. Ein DNS-Eintrag belegt, dass er Ihnen gehört.',
  host: 'Host',
  hostHint: 'Nur der Name, ohne https://.',
  add: 'Host hinzufügen',
  added: '{host} wurde hinzugefügt.',
  primary: 'Haupthost',
  'state.waiting': 'Wartet auf den Eintrag',
  'state.proved': 'Belegt',
  'state.missing': 'Eintrag fehlt',
  'state.contested': 'Umstritten',
  'about.waiting':
    'Legen Sie diesen TXT-Eintrag dort an, wo Sie die Domain verwalten, und lassen Sie den Host zu dieser Installation führen. Prüfen Sie dann. Es kann eine Stunde dauern, bis ein neuer Eintrag zu sehen ist.',
  'about.proved': 'Ihre Seiten liegen hier. Lassen Sie den Eintrag bestehen: Er wird täglich geprüft.',
  'about.operator':
    'Ihre Seiten liegen hier. Der Betreiber dieser Installation hat bestätigt, dass der Host Ihnen gehört.',
  'about.missing':
    'Der Eintrag fehlt seit {since}. Ist er bis {until} nicht wieder da, verlassen Ihre Seiten diesen Host.',
  'about.contested':
    'Ihr Eintrag wurde gefunden, aber der Host ist für eine andere Organisation belegt. Der Betreiber dieser Installation entscheidet, wem er gehört.',
  'found.found': 'Der Eintrag wurde gefunden.',
  'found.other_value': 'Es gibt Einträge mit diesem Namen, aber keiner hat diesen Wert.',
  'found.none': 'Kein Eintrag mit diesem Namen wurde gefunden.',
  'found.no_answer': 'DNS hat nicht geantwortet. Versuchen Sie es später noch einmal.',
  lastCheck: 'Letzte Prüfung',
  record: 'Der Eintrag',
  recordName: 'Name des TXT-Eintrags',
  recordValue: 'Wert',
  check: 'Jetzt prüfen',
  provedNow: '{host} ist belegt. Ihre Seiten liegen jetzt dort.',
  makePrimary: 'Zum Haupthost machen',
  madePrimary: 'Links zu Ihren Seiten führen jetzt zu {host}.',
  remove: 'Entfernen',
  removeTitle: '{host} entfernen?',
  removeText:
    'Ihre Seiten liegen dann nicht mehr unter diesem Host, und Links dorthin funktionieren nicht mehr. Wenn Sie ihn wieder hinzufügen, braucht er einen anderen Eintrag.',
  removed: '{host} wurde entfernt.',
} satisfies Translated<typeof hosts>;
