import type accounts from '../../en/server/accounts.ts';
import type { Translated } from '../../message.ts';

export default {
  'sign_in.subject': 'Se connecter à Turnout',
  'sign_in.title': 'Se connecter',
  'sign_in.line1': 'Ce lien vous connecte à Turnout en tant que {to}.',
  'sign_in.line2': 'Ouvrez le lien et appuyez sur le bouton. Il fonctionne une seule fois, pendant 15 minutes.',
  'sign_in.line3': 'Si vous n’avez pas demandé ce lien, ignorez cet e-mail. Sans lui, personne ne peut se connecter.',
  'sign_in.button': 'Se connecter à Turnout',
  'sign_in.footer': 'Vous recevez cet e-mail parce que votre adresse a été saisie sur la page de connexion.',
  'sign_up.subject': 'Créez votre organisation dans Turnout',
  'sign_up.title': 'Créez votre organisation',
  'sign_up.line1': 'Ouvrez le lien pour nommer votre organisation et configurer votre compte.',
  'sign_up.line2':
    'Le lien fonctionne une seule fois, pendant 24 heures. Si vous ne l’avez pas demandé, ignorez cet e-mail.',
  'sign_up.button': 'Créer une organisation',
  'sign_up.footer': 'Vous recevez cet e-mail parce que votre adresse a été saisie sur la page d’inscription.',
  'email.subject': 'Confirmez votre adresse e-mail pour Turnout',
  'email.title': 'Confirmez votre adresse e-mail',
  'email.line1': 'Confirmez que {to} est votre adresse, afin que votre compte Turnout puisse l’utiliser.',
  'email.line2':
    'Ouvrez le lien dans le navigateur où vous êtes connecté. Il fonctionne une seule fois, pendant 24 heures.',
  'email.line3': 'Si vous n’êtes pas au courant, ignorez cet e-mail. Votre adresse ne sera alors pas utilisée.',
  'email.button': 'Confirmer l’adresse',
  'email.footer': 'Vous recevez cet e-mail parce que votre adresse a été saisie dans un compte Turnout.',
  'email_changed.subject': 'L’adresse e-mail de votre compte Turnout a changé',
  'email_changed.title': 'Votre adresse e-mail a changé',
  'email_changed.line1':
    'Votre compte Turnout utilise maintenant {email}. Désormais, connectez-vous avec cette adresse ; nos e-mails y sont aussi envoyés.',
  'email_changed.line2':
    'Si ce n’était pas vous, demandez immédiatement de l’aide à un propriétaire de votre organisation ou à l’exploitant de cette installation.',
  'email_changed.footer': 'Vous recevez cet e-mail parce que c’était jusqu’ici l’adresse de votre compte.',
  'invitation.subject': 'Vous êtes invité(e) à rejoindre {organization}',
  'invitation.title': 'Rejoindre {organization}',
  'invitation.hello': 'Bonjour,',
  'invitation.by': '{by} vous invite à travailler avec {organization} dans Turnout. Votre rôle : {role}.',
  'invitation.byOperator': 'Vous êtes invité(e) à travailler avec {organization} dans Turnout. Votre rôle : {role}.',
  'invitation.group': 'Vous verrez et gérerez le groupe {group} et les groupes qui en dépendent.',
  'invitation.once': 'Le lien fonctionne une seule fois, jusqu’au {until}.',
  'invitation.button': 'Voir l’invitation',
  'invitation.copy': 'Ou copiez cette adresse dans votre navigateur :',
  'invitation.footer':
    'Si vous n’attendiez pas cette invitation, ignorez cet e-mail. Rien ne se passe tant que vous n’acceptez pas.',
} satisfies Translated<typeof accounts>;
