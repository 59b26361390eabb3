import type accounts from '../../en/server/accounts.ts';
import type { Translated } from '../../message.ts';

export default {
  'sign_in.subject': 'Ihr Link zum Anmelden bei Turnout',
  'sign_in.title': 'Anmelden',
  'sign_in.line1': 'Jemand hat einen Link angefordert, um sich mit der Adresse {to} bei Turnout anzumelden.',
  'sign_in.line2': 'Öffnen Sie ihn und drücken Sie dort den Knopf. Er gilt einmal und nur 15 Minuten lang.',
  'sign_in.line3': 'Wenn Sie das nicht waren, müssen Sie nichts tun: Ohne diese Mail kann sich niemand damit anmelden.',
  'sign_in.button': 'Bei Turnout anmelden',
  'sign_in.footer': 'Sie erhalten diese Mail, weil jemand Ihre Adresse auf der Anmeldeseite eingegeben hat.',
  'sign_up.subject': 'Ihre Organisation bei Turnout anlegen',
  'sign_up.title': 'Ihre Organisation anlegen',
  'sign_up.line1':
    'Sie möchten bei Turnout eine Organisation anlegen. Öffnen Sie den Link, um ihren Namen zu wählen und Ihr Konto einzurichten.',
  'sign_up.line2': 'Der Link gilt einmal und nur 24 Stunden lang. Wenn Sie das nicht waren, müssen Sie nichts tun.',
  'sign_up.button': 'Organisation anlegen',
  'sign_up.footer': 'Sie erhalten diese Mail, weil jemand Ihre Adresse auf der Registrierungsseite eingegeben hat.',
  'email.subject': 'Bestätigen Sie Ihre Adresse für Turnout',
  'email.title': 'Bestätigen Sie Ihre Adresse',
  'email.line1': 'Jemand möchte {to} als Adresse des eigenen Kontos bei Turnout verwenden.',
  'email.line2':
    'Wenn Sie das waren, öffnen Sie den Link in dem Browser, in dem Sie angemeldet sind. Er gilt einmal und nur 24 Stunden lang.',
  'email.line3': 'Wenn Sie das nicht waren, müssen Sie nichts tun; Ihre Adresse wird dann nicht verwendet.',
  'email.button': 'Adresse bestätigen',
  'email.footer': 'Sie erhalten diese Mail, weil Ihre Adresse in einem Konto bei Turnout eingegeben wurde.',
  'email_changed.subject': 'Die Adresse Ihres Turnout-Kontos wurde geändert',
  'email_changed.title': 'Ihre Adresse wurde geändert',
  'email_changed.line1':
    'Ihr Konto bei Turnout hat jetzt die Adresse {email}. Ab sofort gehen Mails dorthin, und Sie melden sich damit an.',
  'email_changed.line2':
    'Wenn Sie das nicht waren, wenden Sie sich bitte sofort an eine Inhaberin oder einen Inhaber Ihrer Organisation oder an den Betreiber dieser Installation.',
  'email_changed.footer': 'Sie erhalten diese Mail, weil dies bisher die Adresse Ihres Kontos war.',
  'invitation.subject': 'Sie sind zu {organization} eingeladen',
  'invitation.title': 'Willkommen bei {organization}',
  'invitation.hello': 'Guten Tag,',
  'invitation.by': '{by} lädt Sie ein, in Turnout mit {organization} zu arbeiten. Ihre Rolle: {role}.',
  'invitation.byOperator': 'Sie sind eingeladen, in Turnout mit {organization} zu arbeiten. Ihre Rolle: {role}.',
  'invitation.group': 'Sie sehen und verwalten die Gruppe {group} und die Gruppen darunter.',
  'invitation.once': 'Der Link gilt einmal, bis {until}.',
  'invitation.button': 'Einladung ansehen',
  'invitation.copy': 'Oder kopieren Sie diese Adresse in Ihren Browser:',
  'invitation.footer':
    'Wenn Sie diese Einladung nicht erwartet haben, können Sie diese Mail ignorieren. Ohne Ihr Zutun geschieht nichts.',
} satisfies Translated<typeof accounts>;
