import type agents from '../en/agents.ts';
import type { Translated } from '../message.ts';

export default {
  lead: 'Ein Agent ist ein Programm mit einem Sprachmodell, das für jemanden arbeitet: Es schlägt nach, meldet Leute an, bereitet Nachrichten vor. Dazu benutzt es einen Ihrer Schlüssel.',
  allow: 'Agenten dürfen mit unseren Schlüsseln arbeiten',
  allowHint:
    'Ein Agent darf genau das, was sein Schlüssel darf, und das Protokoll nennt beide. Solange dies ausgeschaltet ist, gilt kein Schlüssel für Agenten.',
  on: 'Agenten dürfen jetzt mit Ihren Schlüsseln arbeiten.',
  off: 'Agenten dürfen nicht mehr mit Ihren Schlüsseln arbeiten.',
  askTitle: 'Inhaber und Administratoren schalten Agenten ein',
  askText: 'Wenn Ihr Agent meldet, dass Agenten ausgeschaltet sind, wenden Sie sich an eine dieser Personen.',
  connect: 'Einen Agenten verbinden',
  connectLead:
    'Programme, die das Model Context Protocol kennen, brauchen die Adresse und einen Schlüssel. Viele lesen beides aus einer Datei wie dieser.',
  address: 'Adresse',
  configuration: 'Konfiguration',
  advice: 'Bevor Sie anfangen',
  adviceKey:
    'Legen Sie für jeden Agenten einen eigenen Schlüssel an, mit möglichst wenigen Rechten: Zum Nachschlagen genügt „Lesen“.',
  adviceGroup: 'Ein Schlüssel, der auf eine Gruppe beschränkt ist, zeigt dem Agenten nichts anderes.',
  adviceTest: 'Probieren Sie es zuerst mit einem Testschlüssel: Er ändert nur Test-{@events}.',
  adviceText:
    'Namen, Antworten und Notizen stammen von Fremden, und ein Agent kann sie für Anweisungen halten. Lassen Sie sich von Ihrem Programm fragen, bevor es etwas ändert.',
  createKey: 'Schlüssel anlegen',
} satisfies Translated<typeof agents>;
