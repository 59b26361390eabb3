import type { Role } from '@turnout/contract';
import { type Language, languageOf } from '../../outside/locale.ts';

/** The facts that an invitation's mail tells. */
export interface Invited {
  organization: string;
  /** Null: the operator of the installation. */
  by: string | null;
  role: string;
  group: string | null;
  until: string;
}

interface InvitationWords {
  language: Language;
  roles: Record<Role, string>;
  subject(invited: Invited): string;
  title(invited: Invited): string;
  hello: string;
  lines(invited: Invited): string[];
  accept: string;
  copy: string;
  footer: string;
}

const WORDS: Record<Language, InvitationWords> = {
  en: {
    language: 'en',
    roles: {
      owner: 'Owner',
      admin: 'Admin',
      developer: 'Developer',
      manager: 'Manager',
      desk: 'Desk',
      door: 'Door',
      viewer: 'Viewer',
    },
    subject: ({ organization }) => `You are invited to ${organization}`,
    title: ({ organization }) => `Join ${organization}`,
    hello: 'Hello,',
    lines: ({ organization, by, role, group, until }) => [
      by === null
        ? `you are invited to work with ${organization} in Turnout. Your role: ${role}.`
        : `${by} has invited you to work with ${organization} in Turnout. Your role: ${role}.`,
      ...(group === null ? [] : [`You will see and manage the group ${group} and the groups below it.`]),
      `The link works once, until ${until}.`,
    ],
    accept: 'Look at the invitation',
    copy: 'Or copy this address into your browser:',
    footer: 'If you did not expect this invitation, you can ignore this mail. Nothing happens without you.',
  },
  de: {
    language: 'de',
    roles: {
      owner: 'Inhaber',
      admin: 'Administration',
      developer: 'Entwicklung',
      manager: 'Leitung',
      desk: 'Schalter',
      door: 'Einlass',
      viewer: 'Einsicht',
    },
    subject: ({ organization }) => `Sie sind zu ${organization} eingeladen`,
    title: ({ organization }) => `Willkommen bei ${organization}`,
    hello: 'Guten Tag,',
    lines: ({ organization, by, role, group, until }) => [
      by === null
        ? `Sie sind eingeladen, in Turnout mit ${organization} zu arbeiten. Ihre Rolle: ${role}.`
        : `${by} lädt Sie ein, in Turnout mit ${organization} zu arbeiten. Ihre Rolle: ${role}.`,
      ...(group === null ? [] : [`Sie sehen und verwalten die Gruppe ${group} und die Gruppen darunter.`]),
      `Der Link gilt einmal, bis ${until}.`,
    ],
    accept: 'Einladung ansehen',
    copy: 'Oder kopieren Sie diese Adresse in Ihren Browser:',
    footer:
      'Wenn Sie diese Einladung nicht erwartet haben, können Sie diese Mail ignorieren. Ohne Ihr Zutun geschieht nichts.',
  },
  fr: {
    language: 'fr',
    roles: {
      owner: 'Propriétaire',
      admin: 'Administration',
      developer: 'Développement',
      manager: 'Gestion',
      desk: 'Accueil',
      door: 'Entrée',
      viewer: 'Lecture',
    },
    subject: ({ organization }) => `Vous êtes invité(e) à rejoindre ${organization}`,
    title: ({ organization }) => `Rejoindre ${organization}`,
    hello: 'Bonjour,',
    lines: ({ organization, by, role, group, until }) => [
      by === null
        ? `Vous êtes invité(e) à travailler avec ${organization} dans Turnout. Votre rôle : ${role}.`
        : `${by} vous invite à travailler avec ${organization} dans Turnout. Votre rôle : ${role}.`,
      ...(group === null ? [] : [`Vous verrez et gérerez le groupe ${group} et les groupes qui en dépendent.`]),
      `Le lien fonctionne une seule fois, jusqu’au ${until}.`,
    ],
    accept: 'Voir l’invitation',
    copy: 'Ou copiez cette adresse dans votre navigateur :',
    footer: 'Si vous n’attendiez pas cette invitation, ignorez ce message. Rien ne se passe sans vous.',
  },
  es: {
    language: 'es',
    roles: {
      owner: 'Propietario',
      admin: 'Administración',
      developer: 'Desarrollo',
      manager: 'Gestión',
      desk: 'Mostrador',
      door: 'Entrada',
      viewer: 'Lectura',
    },
    subject: ({ organization }) => `Tiene una invitación de ${organization}`,
    title: ({ organization }) => `Únase a ${organization}`,
    hello: 'Hola:',
    lines: ({ organization, by, role, group, until }) => [
      by === null
        ? `Le invitan a trabajar con ${organization} en Turnout. Su función: ${role}.`
        : `${by} le invita a trabajar con ${organization} en Turnout. Su función: ${role}.`,
      ...(group === null ? [] : [`Verá y gestionará el grupo ${group} y los grupos que dependen de él.`]),
      `El enlace funciona una sola vez, hasta el ${until}.`,
    ],
    accept: 'Ver la invitación',
    copy: 'O copie esta dirección en su navegador:',
    footer: 'Si no esperaba esta invitación, puede ignorar este mensaje. No ocurre nada sin usted.',
  },
};

export const invitationWords = (language: string): InvitationWords => WORDS[languageOf(language)];
