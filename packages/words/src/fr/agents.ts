import type agents from '../en/agents.ts';
import type { Translated } from '../message.ts';

export default {
  lead: 'Un agent est un programme doté d’un modèle de langage qui travaille pour vous : il cherche, inscrit des personnes et prépare des messages. Chaque agent utilise l’une de vos clés.',
  allow: 'Autoriser les agents à utiliser vos clés',
  allowHint:
    'Un agent peut faire exactement ce que peut sa clé, et le journal d’audit nomme les deux. Tant que ce réglage est désactivé, aucune clé ne fonctionne pour les agents.',
  on: 'Les agents peuvent maintenant utiliser vos clés',
  off: 'Les agents ne peuvent plus utiliser vos clés',
  askTitle: 'Seuls les propriétaires et les administrateurs peuvent activer les agents',
  askText: 'Demandez à l’un d’eux si votre agent dit que les agents sont désactivés.',
  connect: 'Connecter un agent',
  connectLead:
    'Les programmes qui connaissent le Model Context Protocol ont besoin de l’adresse et d’une clé. Beaucoup lisent les deux dans un fichier comme celui-ci.',
  address: 'Adresse',
  configuration: 'Configuration',
  advice: 'Avant de commencer',
  adviceKey: 'Créez une clé pour chaque agent, avec le moins de droits possible : « Lecture » suffit pour consulter.',
  adviceGroup: 'Limitez une clé à un groupe pour ne rien montrer d’autre à l’agent.',
  adviceTest: 'Essayez d’abord avec une clé de test : elle ne modifie que des {@events} de test.',
  adviceText:
    'Les noms, les réponses et les notes sont écrits par des inconnus, et un agent peut les prendre pour des instructions. Faites en sorte que votre programme vous demande avant toute modification.',
  createKey: 'Créer une clé',
} satisfies Translated<typeof agents>;
