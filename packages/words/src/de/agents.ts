import type agents from '../en/agents.ts';
import type { Translated } from '../message.ts';

export default {
  lead: 'Ein Agent ist ein Programm mit einem Sprachmodell, das für Sie arbeitet: Es schlägt nach, meldet Personen an und bereitet Nachrichten vor. Jeder Agent benutzt einen Ihrer Schlüssel.',
  allow: 'Agenten Ihre Schlüssel benutzen lassen',
  allowHint:
    'Ein Agent darf genau das, was sein Schlüssel darf, und das Protokoll nennt beide. Solange dies ausgeschaltet ist, gilt kein Schlüssel für Agenten.',
  on: 'Agenten können jetzt Ihre Schlüssel benutzen',
  off: 'Agenten können Ihre Schlüssel nicht mehr benutzen',
  askTitle: 'Nur Inhaber und Administratoren können Agenten einschalten',
  askText: 'Bitten Sie eine dieser Personen, wenn Ihr Agent meldet, dass Agenten ausgeschaltet sind.',
  connect: 'Einen Agenten verbinden',
  connectLead:
    'Programme, die das Model Context Protocol kennen, brauchen die Adresse und einen Schlüssel. Viele lesen beides aus einer Datei wie dieser.',
  address: 'Adresse',
  configuration: 'Konfiguration',
  advice: 'Bevor Sie anfangen',
  adviceKey:
    'Legen Sie für jeden Agenten einen eigenen Schlüssel an, mit möglichst wenigen Rechten: Zum Nachschlagen genügt „Lesen“.',
  adviceGroup: 'Beschränken Sie einen Schlüssel auf eine Gruppe, um dem Agenten nichts anderes zu zeigen.',
  adviceTest: 'Probieren Sie zuerst einen Testschlüssel. Er ändert nur Test-{@events}.',
  adviceText:
    'Namen, Antworten und Notizen stammen von Fremden, und ein Agent kann sie für Anweisungen halten. Lassen Sie sich von Ihrem Programm fragen, bevor es etwas ändert.',
  createKey: 'Schlüssel anlegen',
} satisfies Translated<typeof agents>;
