import { type Language, languageOf } from '../../outside/locale.ts';

/** The texts around an organizer's message, and those of the page for unsubscribing. */
export interface MessageWords {
  language: Language;
  /** Shown on top of a test mail, so that nobody takes it for the real message. */
  test: string;
  unsubscribe: string;
  ask(organization: string): string;
  explain: string;
  done(organization: string): string;
  again: string;
  welcome(organization: string): string;
}

const WORDS: Record<Language, MessageWords> = {
  en: {
    language: 'en',
    test: 'This is a test. Only you and whoever else was named received it.',
    unsubscribe: 'Unsubscribe',
    ask: (organization) => `No more news from ${organization}?`,
    explain: 'Mails about events that you are registered for still reach you.',
    done: (organization) => `You get no more news from ${organization}.`,
    again: 'I want to get news again',
    welcome: (organization) => `You get news from ${organization} again.`,
  },
  de: {
    language: 'de',
    test: 'Dies ist ein Test. Nur Sie und weitere genannte Adressen haben ihn erhalten.',
    unsubscribe: 'Abmelden',
    ask: (organization) => `Keine Neuigkeiten mehr von ${organization}?`,
    explain: 'Mails zu Veranstaltungen, für die Sie angemeldet sind, erhalten Sie weiterhin.',
    done: (organization) => `Sie erhalten keine Neuigkeiten mehr von ${organization}.`,
    again: 'Ich möchte wieder Neuigkeiten erhalten',
    welcome: (organization) => `Sie erhalten wieder Neuigkeiten von ${organization}.`,
  },
  fr: {
    language: 'fr',
    test: 'Ceci est un test. Seules les adresses indiquées l’ont reçu.',
    unsubscribe: 'Se désabonner',
    ask: (organization) => `Ne plus recevoir d’actualités de ${organization} ?`,
    explain: 'Vous recevrez toujours les messages concernant vos inscriptions.',
    done: (organization) => `Vous ne recevrez plus d’actualités de ${organization}.`,
    again: 'Je souhaite à nouveau recevoir des actualités',
    welcome: (organization) => `Vous recevez à nouveau les actualités de ${organization}.`,
  },
  es: {
    language: 'es',
    test: 'Esto es una prueba. Solo la han recibido las direcciones indicadas.',
    unsubscribe: 'Darse de baja',
    ask: (organization) => `¿No recibir más novedades de ${organization}?`,
    explain: 'Seguirá recibiendo los mensajes sobre sus inscripciones.',
    done: (organization) => `Ya no recibirá novedades de ${organization}.`,
    again: 'Quiero volver a recibir novedades',
    welcome: (organization) => `Vuelve a recibir novedades de ${organization}.`,
  },
};

export const messageWords = (language: string): MessageWords => WORDS[languageOf(language)];
