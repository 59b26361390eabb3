import type refusals from '../en/refusals.ts';
import type { Translated } from '../message.ts';

export default {
  unreachable: 'Le serveur est injoignable. Vérifiez votre connexion et réessayez ; votre saisie est conservée.',
  unreadable: 'La réponse du serveur est illisible. Réessayez.',
  sign_in_required: 'Vous êtes déconnecté. Connectez-vous, puis réessayez.',
  sign_in_failed: 'L’adresse e-mail ou le mot de passe est incorrect. Réessayez ou demandez un lien par e-mail.',
  second_factor_failed: 'Ce code est incorrect ou a déjà servi. Attendez le suivant ou utilisez un code de secours.',
  sign_in_step_over: 'Cette connexion a pris trop de temps ou a été terminée ailleurs. Recommencez.',
  passkey_not_valid: 'Cette clé d’accès n’a pas fonctionné. Réessayez ou connectez-vous autrement.',
  pin_wrong: 'Code PIN incorrect. Réessayez.',
  permission_required:
    'Votre rôle ne le permet pas. Adressez-vous à un propriétaire ou administrateur de votre organisation.',
  second_factor_required:
    'Cette organisation exige un second facteur. Configurez-le dans votre compte, puis connectez-vous avec lui.',
  sign_in_again: 'Reconnectez-vous pour confirmer que c’est bien vous, puis recommencez.',
  cross_site_request: 'Cette requête vient d’un autre site. Ouvrez l’application et réessayez-y.',
  signup_closed:
    'Les nouvelles organisations sont créées par l’exploitant de cette installation. Demandez une invitation.',
  sandbox_account: 'Tout le monde partage ce compte dans le bac à sable ; vous ne pouvez pas le modifier.',
  sandbox_full:
    'Le bac à sable est plein. Il repart de zéro chaque nuit à 03:00 UTC. Pour aller plus loin, créez votre propre organisation.',
  entitlement_required: 'L’offre de votre organisation ne le comprend pas.',
  instance_read_only:
    'Vous ne pouvez rien modifier pour le moment, car la licence de cette installation a été révoquée.',
  validation_failed: 'Vérifiez les champs signalés.',
  not_found: 'Cela n’existe plus, ou vous n’y avez pas accès.',
  link_not_valid: 'Ce lien a été utilisé, retiré ou a expiré. Demandez-en un nouveau.',
  request_timeout: 'La requête n’est pas arrivée à temps. Renvoyez-la.',
  changed_meanwhile: 'Quelqu’un d’autre vient de le modifier. Vérifiez ce qui a changé, puis réessayez.',
  payload_too_large: 'C’est trop volumineux pour être envoyé. Réduisez-le et réessayez.',
  invalid_state: 'Le statut actuel ne le permet pas. Rechargez la page pour voir ce qui a changé.',
  mixed_groups:
    'D’autres groupes, que vous ne voyez pas, sont aussi concernés. Agissez sur vos propres personnes une à une, ou adressez-vous à quelqu’un qui n’est pas limité à un groupe.',
  code_taken: 'Ce code est déjà pris. Choisissez-en un autre.',
  last_owner: 'Une organisation a besoin d’un propriétaire, et c’est le dernier. Nommez d’abord un autre propriétaire.',
  email_not_proved: 'Votre adresse e-mail n’est pas encore confirmée. Ouvrez le lien que nous vous avons envoyé.',
  idempotency_in_progress: 'C’est encore en cours. Patientez un instant, puis réessayez.',
  attendee_cap_reached: 'Aucune autre personne ne peut être inscrite : la limite de l’offre est atteinte.',
  event_full: 'Il n’y a plus de place.',
  type_full: 'Il n’y a plus de place pour ce type.',
  day_full: 'Il n’y a plus de place ce jour-là.',
  product_full: 'Il n’en reste pas assez.',
  quota_full: 'Il ne reste pas assez de places.',
  discount_used_up: 'Ce code a déjà été utilisé autant que possible.',
  nothing_to_hand_out: 'Tout ce qui en a été réservé est déjà remis.',
  product_not_available: 'Ce n’est pas proposé pour ce billet.',
  product_required: 'Il manque quelque chose que tout le monde prend.',
  discount_unknown: 'Ce code ne fonctionne pas ici. Vérifiez l’orthographe.',
  discount_not_applicable: 'Ce code ne s’applique pas à ce choix.',
  price_changed: 'Les prix ont changé et rien n’a été réservé. Vérifiez le nouveau total et réessayez.',
  registration_closed: 'Les inscriptions sont fermées.',
  type_not_available: 'Ce type n’est plus proposé.',
  day_not_available: 'Ce jour est passé, ou il n’est pas proposé pour ce type.',
  too_many_unpaid_from_network:
    'Trop de personnes sont inscrites ici depuis votre réseau sans que leur place soit payée. Payez pour elles, ou attendez que leurs places soient remises à disposition, puis envoyez de nouveau le formulaire.',
  too_many_unpaid_for_email:
    'Trop de personnes sont inscrites ici sous cette adresse e-mail sans que leur place soit payée. Payez pour elles, ou attendez que leurs places soient remises à disposition, puis envoyez de nouveau le formulaire.',
  too_many_jobs: 'Trop de tâches attendent ou sont en cours. Attendez qu’une se termine ou annulez-en une.',
  storage_full:
    'Votre organisation n’a plus d’espace pour les fichiers. Chaque fichier est supprimé un jour après la fin de sa tâche : réessayez alors.',
  endpoint_limit_reached:
    'Votre offre ne permet pas d’autres webhooks. Supprimez-en un dont vous n’avez pas besoin, ou passez à une offre supérieure.',
  replay_expired: 'Un envoi peut être renvoyé pendant 30 jours. Celui-ci est plus ancien.',
  webhook_url_refused:
    'Les webhooks ne peuvent pas être envoyés à cette adresse. Utilisez une adresse https dont l’hôte est public.',
  license_not_valid: 'Cette installation a besoin d’une licence valable pour cela.',
  duplicate_email: 'Cette adresse e-mail est déjà inscrite.',
  rate_limited: 'Trop de requêtes à la fois. Patientez un instant, puis réessayez.',
  sign_in_throttled: 'Trop d’essais ont échoué. Attendez {wait} ou connectez-vous autrement.',
  internal_error: 'Un problème est survenu de notre côté. Rien n’a été modifié ; réessayez.',
  unavailable: 'Le service ne peut pas répondre pour le moment. Réessayez dans un instant.',
  oidc_unavailable:
    'L’authentification unique est injoignable pour le moment. Réessayez dans un instant, ou connectez-vous autrement.',
  oidc_cancelled:
    'L’authentification unique a été annulée, ou votre fournisseur ne vous a pas laissé entrer. Réessayez, ou connectez-vous autrement.',
  oidc_step_over:
    'L’authentification unique a pris trop de temps ou a été commencée dans un autre navigateur. Réessayez.',
  oidc_failed:
    'L’authentification unique n’a pas fonctionné. Réessayez ; si cela se reproduit, prévenez l’exploitant de cette installation.',
  oidc_email_not_verified:
    'Votre fournisseur n’a pas vérifié votre adresse e-mail. Faites-la vérifier auprès de lui, ou connectez-vous autrement.',
  oidc_address_not_proved:
    'Il existe un compte avec votre adresse e-mail, mais elle n’est pas encore confirmée. Connectez-vous d’abord avec un lien par e-mail ; ensuite, l’authentification unique fonctionnera.',
  oidc_no_account: 'Personne n’a de compte ici avec votre adresse e-mail. Demandez une invitation.',
  oidc_other_address:
    'L’invitation est pour une autre adresse e-mail que celle de votre fournisseur. Connectez-vous autrement, ou demandez une nouvelle invitation.',
  'fault.required': 'Remplissez ce champ.',
  'fault.empty': 'Remplissez ce champ.',
  'fault.too_short': { one: 'Au moins un caractère.', other: 'Au moins {count} caractères.' },
  'fault.too_long': { one: 'Un caractère au plus.', other: '{count} caractères au plus.' },
  'fault.too_low': 'Au moins {count}.',
  'fault.too_high': '{count} au plus.',
  'fault.too_few': { one: 'Choisissez-en au moins un.', other: 'Choisissez-en au moins {count}.' },
  'fault.too_many': { one: 'Choisissez-en un au plus.', other: 'Choisissez-en {count} au plus.' },
  'fault.repeated': 'Une entrée figure deux fois. Retirez-en une.',
  'fault.not_one_of': 'Choisissez l’une des valeurs proposées.',
  'fault.wrong_type': 'Saisissez une valeur du bon type.',
  'fault.not_email': 'Saisissez une adresse e-mail, par exemple nom@example.org.',
  'fault.not_date': 'Saisissez une date.',
  'fault.not_time': 'Saisissez une date et une heure.',
  'fault.not_timezone': 'Saisissez un fuseau horaire, par exemple Europe/Berlin.',
  'fault.not_currency': 'Saisissez une devise, par exemple EUR.',
  'fault.not_code':
    'Utilisez 1 à 63 lettres, chiffres, tirets ou traits de soulignement, en commençant par une lettre ou un chiffre.',
  'fault.not_url': 'Saisissez une adresse qui commence par https://.',
  'fault.not_number': 'Saisissez un nombre.',
  'fault.not_phone': 'Saisissez un numéro de téléphone.',
  'fault.not_web_address': 'Saisissez l’adresse d’une page. Elle commence par https://.',
  'fault.not_origin': 'Saisissez un site par ligne, tel que https://www.example.org, sans rien derrière.',
  'fault.not_host': 'Saisissez un hôte tel que tickets.example.org, sans https:// ni chemin.',
  'fault.own_host': 'Cet hôte est celui de l’installation elle-même. Saisissez-en un à vous.',
  'fault.not_in_future': 'Choisissez un moment dans le futur.',
  'fault.common_password': 'C’est l’un des mots de passe les plus courants. Choisissez-en un autre.',
  'fault.not_picture': 'Choisissez une image JPEG, PNG ou WebP.',
  'fault.too_many_pixels': 'Cette image a plus de {count} millions de pixels. Réduisez-la.',
  'fault.picture_damaged': 'Cette image est illisible. Enregistrez-la à nouveau et essayez le nouveau fichier.',
} satisfies Translated<typeof refusals>;
