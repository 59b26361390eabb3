import type accounts from '../../en/server/accounts.ts';
import type { Translated } from '../../message.ts';

export default {
  'sign_in.subject': 'Votre lien de connexion à Turnout',
  'sign_in.title': 'Se connecter',
  'sign_in.line1': 'Quelqu’un a demandé un lien pour se connecter à Turnout avec l’adresse {to}.',
  'sign_in.line2': 'Ouvrez-le et appuyez sur le bouton. Il fonctionne une seule fois, pendant 15 minutes.',
  'sign_in.line3':
    'Si ce n’était pas vous, vous n’avez rien à faire : sans ce message, personne ne peut se connecter avec.',
  'sign_in.button': 'Se connecter à Turnout',
  'sign_in.footer': 'Vous recevez ce message parce que quelqu’un a saisi votre adresse sur la page de connexion.',
  'sign_up.subject': 'Créez votre organisation dans Turnout',
  'sign_up.title': 'Créez votre organisation',
  'sign_up.line1':
    'Vous avez demandé à créer une organisation dans Turnout. Ouvrez le lien pour choisir son nom et configurer votre compte.',
  'sign_up.line2':
    'Le lien fonctionne une seule fois, pendant 24 heures. Si ce n’était pas vous, vous n’avez rien à faire.',
  'sign_up.button': 'Créer une organisation',
  'sign_up.footer': 'Vous recevez ce message parce que quelqu’un a saisi votre adresse sur la page d’inscription.',
  'email.subject': 'Confirmez votre adresse pour Turnout',
  'email.title': 'Confirmez votre adresse',
  'email.line1': 'Quelqu’un souhaite utiliser {to} comme adresse de son compte Turnout.',
  'email.line2':
    'Si c’était vous, ouvrez le lien dans le navigateur où vous êtes connecté. Il fonctionne une seule fois, pendant 24 heures.',
  'email.line3': 'Si ce n’était pas vous, vous n’avez rien à faire ; votre adresse ne sera alors pas utilisée.',
  'email.button': 'Confirmer l’adresse',
  'email.footer': 'Vous recevez ce message parce que votre adresse a été saisie dans un compte Turnout.',
  'email_changed.subject': 'L’adresse de votre compte Turnout a changé',
  'email_changed.title': 'Votre adresse a changé',
  'email_changed.line1':
    'Votre compte Turnout a maintenant l’adresse {email}. Désormais, les messages y sont envoyés et vous vous connectez avec elle.',
  'email_changed.line2':
    'Si ce n’était pas vous, demandez immédiatement de l’aide à un propriétaire de votre organisation ou à l’exploitant de cette installation.',
  'email_changed.footer': 'Vous recevez ce message parce que c’était jusqu’ici l’adresse de votre compte.',
  'invitation.subject': 'Vous êtes invité(e) à rejoindre {organization}',
  'invitation.title': 'Rejoindre {organization}',
  'invitation.hello': 'Bonjour,',
  'invitation.by': '{by} vous invite à travailler avec {organization} dans Turnout. Votre rôle : {role}.',
  'invitation.byOperator': 'Vous êtes invité(e) à travailler avec {organization} dans Turnout. Votre rôle : {role}.',
  'invitation.group': 'Vous verrez et gérerez le groupe {group} et les groupes qui en dépendent.',
  'invitation.once': 'Le lien fonctionne une seule fois, jusqu’au {until}.',
  'invitation.button': 'Voir l’invitation',
  'invitation.copy': 'Ou copiez cette adresse dans votre navigateur :',
  'invitation.footer': 'Si vous n’attendiez pas cette invitation, ignorez ce message. Rien ne se passe sans vous.',
} satisfies Translated<typeof accounts>;
