import type owners from '../../en/server/owners.ts';
import type { Translated } from '../../message.ts';

export default {
  hello: 'Bonjour {owner},',
  'key.subject': '{org} : une nouvelle clé d’API avec le droit admin',
  'key.made': '{by} a créé la clé d’API « {key} » pour {org}. Ses droits sont : {scopes}.',
  'key.limited': 'Elle est limitée au groupe {group}.',
  'key.operator': 'L’exploitant de cette installation',
  'key.may':
    'Avec le droit admin, un programme peut supprimer des événements, effacer des personnes, modifier les groupes et lire le journal.',
  'key.revoke':
    'Si vous ne savez pas à quoi sert cette clé, révoquez-la dans l’application sous « Développeurs ». Elle cesse aussitôt de fonctionner.',
  'host_missing.subject': '{org} : l’enregistrement DNS de {host} manque',
  'host_missing.line1':
    'Les pages d’inscription de {org} se trouvent à l’adresse {host}. L’enregistrement DNS qui prouve que cet hôte vous appartient n’existe plus.',
  'host_missing.line2': 'Recréez-le : un enregistrement TXT nommé {record} avec la valeur {value}',
  'host_missing.line3':
    'S’il manque pendant sept jours, les pages retournent à l’adresse de l’installation et les liens vers cet hôte cessent de fonctionner.',
  'host_dropped.subject': '{org} : {host} n’affiche plus vos pages',
  'host_dropped.line1':
    'L’enregistrement DNS de {host} manque depuis sept jours. Les pages d’inscription de {org} ne s’y trouvent donc plus, et les liens vers cet hôte ont cessé de fonctionner.',
  'host_dropped.line2':
    'Pour qu’elles y reviennent, créez un enregistrement TXT nommé {record} avec la valeur {value}, puis vérifiez l’hôte dans l’application, sous « Organisation ».',
  'duplicate_refunded.subject': '{event} : un second paiement de {amount} a été remboursé',
  'duplicate_refunded.line1':
    'L’inscription {code} a été payée deux fois en ligne. Nous avons remboursé le second paiement, de {amount}, et prévenu la personne qui a payé. L’inscription ne change pas.',
  'duplicate_stuck.subject': '{event} : un second paiement de {amount} à rembourser',
  'duplicate_stuck.line1':
    'L’inscription {code} a été payée deux fois en ligne, et le prestataire de paiement n’a pas accepté notre remboursement du second paiement, de {amount}. Remboursez-le dans l’application, sous « Argent », ou chez le prestataire.',
  'calls.subject': '{org} : {percent} % des appels d’API de ce mois sont utilisés',
  'calls.used':
    'les intégrations de {org} ont utilisé {percent} % des {calls} appels d’API que l’offre {plan} comprend pour {month}.',
  'calls.some':
    'Rien ne s’arrête à 100 %. Au-delà de 150 %, les appels sont refusés jusqu’au 1er du mois prochain (UTC).',
  'calls.all':
    'Vos intégrations continuent de fonctionner jusqu’à 150 %. Au-delà, les appels sont refusés jusqu’au 1er du mois prochain (UTC).',
  'calls.plan': 'Pour disposer aussitôt de plus d’appels, passez à une offre supérieure.',
  'webhook_failing.subject': '{org} : le webhook vers {host} échoue',
  'webhook_failing.line1': 'Les {attempts} derniers envois vers {url} ont échoué.',
  'webhook_failing.line2':
    'Nous continuons d’essayer. Si le webhook échoue pendant sept jours, nous le mettons en pause. Dans l’application, la liste « Envois » indique pourquoi chacun a échoué.',
  'webhook_paused.subject': '{org} : le webhook vers {host} est en pause',
  'webhook_paused.line1':
    'Le webhook vers {url} échoue depuis sept jours. Nous l’avons donc mis en pause et n’y envoyons plus rien.',
  'webhook_paused.line2': 'Nous conservons ce qui se passe. Reprenez le webhook, et nous enverrons tout.',
} satisfies Translated<typeof owners>;
