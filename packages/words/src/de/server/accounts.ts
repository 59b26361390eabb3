import type accounts from '../../en/server/accounts.ts';
import type { Translated } from '../../message.ts';

export default {
  'sign_in.subject': 'Bei Turnout anmelden',
  'sign_in.title': 'Anmelden',
  'sign_in.line1': 'Mit diesem Link melden Sie sich als {to} bei Turnout an.',
  'sign_in.line2': 'Öffnen Sie den Link und drücken Sie dort den Knopf. Er gilt einmal und nur 15 Minuten lang.',
  'sign_in.line3':
    'Wenn Sie den Link nicht angefordert haben, ignorieren Sie diese E-Mail. Ohne sie kann sich niemand anmelden.',
  'sign_in.button': 'Bei Turnout anmelden',
  'sign_in.footer': 'Sie erhalten diese E-Mail, weil Ihre Adresse auf der Anmeldeseite eingegeben wurde.',
  'sign_up.subject': 'Ihre Organisation bei Turnout anlegen',
  'sign_up.title': 'Ihre Organisation anlegen',
  'sign_up.line1': 'Öffnen Sie den Link, um Ihrer Organisation einen Namen zu geben und Ihr Konto einzurichten.',
  'sign_up.line2':
    'Der Link gilt einmal und nur 24 Stunden lang. Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail.',
  'sign_up.button': 'Organisation anlegen',
  'sign_up.footer': 'Sie erhalten diese E-Mail, weil Ihre Adresse auf der Registrierungsseite eingegeben wurde.',
  'email.subject': 'Bestätigen Sie Ihre E-Mail-Adresse für Turnout',
  'email.title': 'Bestätigen Sie Ihre E-Mail-Adresse',
  'email.line1': 'Bestätigen Sie, dass {to} Ihre Adresse ist, damit Ihr Turnout-Konto sie verwenden kann.',
  'email.line2':
    'Öffnen Sie den Link in dem Browser, in dem Sie angemeldet sind. Er gilt einmal und nur 24 Stunden lang.',
  'email.line3': 'Wenn Sie davon nichts wissen, ignorieren Sie diese E-Mail. Ihre Adresse wird dann nicht verwendet.',
  'email.button': 'Adresse bestätigen',
  'email.footer': 'Sie erhalten diese E-Mail, weil Ihre Adresse in einem Turnout-Konto eingegeben wurde.',
  'email_changed.subject': 'Die E-Mail-Adresse Ihres Turnout-Kontos wurde geändert',
  'email_changed.title': 'Ihre E-Mail-Adresse wurde geändert',
  'email_changed.line1':
    'Ihr Turnout-Konto verwendet jetzt {email}. Melden Sie sich ab sofort damit an; auch unsere E-Mails gehen dorthin.',
  'email_changed.line2':
    'Wenn Sie das nicht waren, wenden Sie sich sofort an eine Inhaberin oder einen Inhaber Ihrer Organisation oder an den Betreiber dieser Installation.',
  'email_changed.footer': 'Sie erhalten diese E-Mail, weil dies bisher die Adresse Ihres Kontos war.',
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
    'Wenn Sie diese Einladung nicht erwartet haben, ignorieren Sie diese E-Mail. Solange Sie nicht annehmen, geschieht nichts.',
} satisfies Translated<typeof accounts>;
