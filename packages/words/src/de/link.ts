import type link from '../en/link.ts';
import type { Translated } from '../message.ts';

export default {
  linkTitle: 'Anmelden',
  linkText: 'Dieser Link kam per E-Mail. Ein Klick, und Sie sind angemeldet.',
  linkMissing: 'Dieser Link ist unvollständig',
  linkMissingText:
    'Der letzte Teil fehlt. Kopieren Sie den ganzen Link aus der E-Mail, oder lassen Sie sich einen neuen schicken.',
  linkNew: 'Neuen Link schicken lassen',
  clearedTitle: 'Ihre Adresse ist bestätigt',
  clearedText:
    'Sie haben gerade gezeigt, dass diese E-Mail-Adresse Ihnen gehört. Was vorher eingerichtet war, etwa ein Passwort, Passkeys oder ein zweiter Faktor, ist gelöscht, denn es hätte von jemand anderem sein können. In Ihrem Konto können Sie es neu einrichten.',
  toAccount: 'Zu Ihrem Konto',
  sandboxTitle: 'In der Sandbox umsehen',
  sandboxText:
    'Die Sandbox ist eine Organisation mit erfundenen Veranstaltungen und Personen. Sie sind Robin Lake und verwalten sie. Probieren Sie alles aus: Es wird keine E-Mail verschickt, kein Geld bewegt, und nichts gelangt nach außen.',
  sandboxEnter: 'Sandbox betreten',
  sandboxShared: 'Alle mit diesem Link sehen dieselbe Sandbox.',
  sandboxInstead:
    'Sie sind als {email} angemeldet. Wenn Sie die Sandbox betreten, werden Sie in diesem Browser abgemeldet.',
  sandboxMissingText: 'Der letzte Teil fehlt. Kopieren Sie den ganzen Link von dort, wo Turnout gestartet wurde.',
} satisfies Translated<typeof link>;
