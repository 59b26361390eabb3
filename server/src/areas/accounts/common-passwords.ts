/**
 * The most common passwords of at least twelve characters follow a few habits: a favourite word or two with digits behind them, a row
 * of the keyboard, or a short piece over and over. This finds those habits, which needs no list of a million passwords. The words
 * were written down for this project in our four languages; they are taken from no list of others.
 */
const WORDS = `
  password passwort passwd motdepasse contrasena contraseña clave kennwort secret geheim secreto pass login changeme letmein welcome
  willkommen bienvenue bienvenido hello hallo bonjour hola admin administrator root user guest test testing demo default temp
  qwerty qwertz azerty asdf asdfgh zxcvbn iloveyou love liebe amour amor teamo jetaime ichliebedich princess prinzessin princesse
  princesa sunshine sonnenschein soleil sonne football fussball futbol soccer baseball basketball hockey monkey dragon master shadow
  superman batman spiderman pokemon starwars whatever trustno freedom family familie famille familia friends mother father computer
  internet google facebook samsung iphone apple michael daniel thomas jessica ashley jennifer andrea alexander nicole charlie maria
  summer sommer verano winter spring autumn fall herbst january monday montag schatz schatzi chocolate schokolade cheese cookie
  flower angel engel ange lovely baby babygirl hunter killer ninja qazwsx access mustang harley ranger jordan liverpool arsenal
  chelsea barcelona realmadrid bayern dortmund juventus turnout ticket tickets event events company firma office buero bureau
  number one two three my the and please this is forever always
`
  .trim()
  .split(/\s+/)
  .sort((a, b) => b.length - a.length);
const KNOWN = new Set(WORDS);
const MAX_WORD_LENGTH = Math.max(...WORDS.map((word) => word.length));

/** Rows of keyboards, the alphabet and the digits, forwards; backwards is tried as well. */
const ROWS = [
  '1234567890',
  '0123456789',
  'qwertyuiop[]',
  'qwertzuiopü+',
  'azertyuiop^$',
  'asdfghjkl;',
  'asdfghjklöä',
  'qsdfghjklm',
  'zxcvbnm,./',
  'yxcvbnm,.-',
  'wxcvbn,;:!',
  'abcdefghijklmnopqrstuvwxyz',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/',
  '1q2w3e4r5t6y7u8i9o0p',
  '!@#$%^&*()',
  '!"§$%&/()=',
];
const RUNS = ROWS.flatMap((row) => [row + row, [...(row + row)].reverse().join('')]);

/** Digits and signs that stand for letters: `p4ssw0rd`. */
const LETTERS: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

export function isCommon(password: string): boolean {
  const text = password.toLowerCase();
  return repeats(text) || isRuns(text) || isWords(text) || isWords(unleet(text));
}

/** A piece of at most four characters over and over, or not more than two different characters. */
const repeats = (text: string): boolean => /^(.{1,4}?)\1+.{0,3}$/su.test(text) || new Set(text).size <= 2;

/** Nothing but pieces of at least four neighbouring keys, letters or digits. */
function isRuns(text: string): boolean {
  let at = 0;
  while (at < text.length) {
    let end = at + 1;
    while (end < text.length && RUNS.some((run) => run.includes(text.slice(at, end + 1)))) end += 1;
    if (end - at < Math.min(4, text.length - at) && end < text.length) return false;
    if (end - at < 2 && text.length - at > 3) return false;
    at = end;
  }
  return true;
}

function unleet(text: string): string {
  let end = text.length;
  while (end > 0 && !/\p{L}/u.test(text[end - 1]!)) end -= 1;
  const letters = [...text.slice(0, end)].map((letter) => LETTERS[letter] ?? letter);
  return letters.join('') + text.slice(end);
}

/** At most three common words, with digits and signs before, between and behind them, and nothing else. */
function isWords(text: string): boolean {
  const letters = text.replaceAll(/[^\p{L}]+/gu, ' ').trim();
  if (letters === '') return new Set(text).size <= 4;
  let words = 0;
  for (const part of letters.split(' ')) {
    const count = wordsIn(part);
    if (count === null) return false;
    words += count;
  }
  return words <= 3;
}

/** The least number of common words that a text consists of. Null if it does not. */
function wordsIn(text: string): number | null {
  const least: (number | null)[] = [0];
  for (let end = 1; end <= text.length; end += 1) {
    least[end] = null;
    for (let from = Math.max(0, end - MAX_WORD_LENGTH); from < end; from += 1) {
      const before = least[from];
      if (before === null || before === undefined || !KNOWN.has(text.slice(from, end))) continue;
      if (least[end] === null || before + 1 < least[end]!) least[end] = before + 1;
    }
  }
  return least[text.length] ?? null;
}
