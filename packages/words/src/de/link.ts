import type link from '../en/link.ts';
import type { Translated } from '../message.ts';

export default {
  linkTitle: 'Anmelden',
  linkText: 'Sie haben den Link aus unserer E-Mail geöffnet. Ein Klick, und Sie sind angemeldet.',
  linkMissing: 'Dieser Link ist unvollständig',
  linkMissingText:
    'Das Ende des Links fehlt. Kopieren Sie den ganzen Link aus der E-Mail, oder lassen Sie sich einen neuen schicken.',
  linkNew: 'Neuen Link schicken lassen',
  clearedTitle: 'Ihre E-Mail-Adresse ist bestätigt',
  clearedText:
    'Zum Schutz Ihres Kontos haben wir Passwort, Passkeys und zweiten Faktor entfernt, die vorher eingerichtet waren: Sie hätten von jemand anderem sein können. In Ihrem Konto können Sie sie neu einrichten.',
  toAccount: 'Zu Ihrem Konto',
  sandboxTitle: 'Die Sandbox erkunden',
  sandboxText:
    'Die Sandbox ist eine Organisation mit erfundenen Veranstaltungen und Personen. Sie sind Robin Lake und verwalten sie. Probieren Sie alles aus: Es wird keine E-Mail verschickt, kein Geld bewegt, und nichts gelangt nach außen.',
  sandboxEnter: 'Sandbox betreten',
  sandboxShared: 'Alle mit diesem Link sehen dieselbe Sandbox.',
  sandboxInstead:
    'Sie sind als {email} angemeldet. Wenn Sie die Sandbox betreten, werden Sie in diesem Browser abgemeldet.',
  sandboxMissingText: 'Das Ende des Links fehlt. Kopieren Sie den ganzen Link, den Turnout beim Start ausgegeben hat.',
} satisfies Translated<typeof link>;
