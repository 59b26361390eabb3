import type { AccountLanguage } from '@turnout/contract';
import { queueMail } from '../../road/for-areas/mail.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { membersToTell } from '../groups/index.ts';
import { recordName } from './names.ts';
import type { HostRow } from './queries.ts';

interface About {
  owner: string;
  org: string;
  host: string;
  record: string;
  value: string;
}
/** The subject, and the lines of the text. */
type Words = (about: About) => [string, ...string[]];

const MISSING: Record<AccountLanguage, Words> = {
  en: ({ owner, org, host, record, value }) => [
    `${org}: the DNS record of ${host} is missing`,
    `Hello ${owner},`,
    `the registration pages of ${org} are at ${host}. The DNS record that proves that this host is yours is no longer there.`,
    `Please make it again: a TXT record with the name ${record} and the value ${value}`,
    'If it stays missing for seven days, the pages move back to the address of the installation, and links to this host stop working.',
  ],
  de: ({ owner, org, host, record, value }) => [
    `${org}: Der DNS-Eintrag von ${host} fehlt`,
    `Hallo ${owner},`,
    `die Anmeldeseiten von ${org} liegen unter ${host}. Der DNS-Eintrag, der belegt, dass dieser Host Ihnen gehört, ist nicht mehr da.`,
    `Bitte legen Sie ihn wieder an: einen TXT-Eintrag mit dem Namen ${record} und dem Wert ${value}`,
    'Fehlt er sieben Tage lang, ziehen die Seiten zurück an die Adresse der Installation, und Links zu diesem Host funktionieren nicht mehr.',
  ],
  fr: ({ owner, org, host, record, value }) => [
    `${org} : l’enregistrement DNS de ${host} manque`,
    `Bonjour ${owner},`,
    `les pages d’inscription de ${org} se trouvent à l’adresse ${host}. L’enregistrement DNS qui prouve que cet hôte vous appartient n’existe plus.`,
    `Veuillez le recréer : un enregistrement TXT nommé ${record} avec la valeur ${value}`,
    'S’il manque pendant sept jours, les pages retournent à l’adresse de l’installation et les liens vers cet hôte cessent de fonctionner.',
  ],
  es: ({ owner, org, host, record, value }) => [
    `${org}: falta el registro DNS de ${host}`,
    `Hola, ${owner}:`,
    `las páginas de inscripción de ${org} están en ${host}. El registro DNS que demuestra que este host es suyo ya no existe.`,
    `Vuelva a crearlo: un registro TXT con el nombre ${record} y el valor ${value}`,
    'Si falta durante siete días, las páginas vuelven a la dirección de la instalación y los enlaces a este host dejan de funcionar.',
  ],
};

const DROPPED: Record<AccountLanguage, Words> = {
  en: ({ owner, org, host, record, value }) => [
    `${org}: ${host} no longer shows your pages`,
    `Hello ${owner},`,
    `the DNS record of ${host} has been missing for seven days, so the registration pages of ${org} are no longer there. Links to this host have stopped working.`,
    `To have the pages there again, make a TXT record with the name ${record} and the value ${value} and check the host in the app, under Organization.`,
  ],
  de: ({ owner, org, host, record, value }) => [
    `${org}: ${host} zeigt Ihre Seiten nicht mehr`,
    `Hallo ${owner},`,
    `der DNS-Eintrag von ${host} fehlt seit sieben Tagen. Die Anmeldeseiten von ${org} liegen deshalb nicht mehr dort, und Links zu diesem Host funktionieren nicht mehr.`,
    `Damit die Seiten wieder dort liegen, legen Sie einen TXT-Eintrag mit dem Namen ${record} und dem Wert ${value} an und prüfen Sie den Host in der App unter „Organisation“.`,
  ],
  fr: ({ owner, org, host, record, value }) => [
    `${org} : ${host} n’affiche plus vos pages`,
    `Bonjour ${owner},`,
    `l’enregistrement DNS de ${host} manque depuis sept jours. Les pages d’inscription de ${org} ne s’y trouvent donc plus, et les liens vers cet hôte ont cessé de fonctionner.`,
    `Pour qu’elles y reviennent, créez un enregistrement TXT nommé ${record} avec la valeur ${value}, puis vérifiez l’hôte dans l’application, sous « Organisation ».`,
  ],
  es: ({ owner, org, host, record, value }) => [
    `${org}: ${host} ya no muestra sus páginas`,
    `Hola, ${owner}:`,
    `el registro DNS de ${host} falta desde hace siete días. Por eso las páginas de inscripción de ${org} ya no están allí, y los enlaces a este host han dejado de funcionar.`,
    `Para que vuelvan, cree un registro TXT con el nombre ${record} y el valor ${value} y compruebe el host en la aplicación, en «Organización».`,
  ],
};

const WORDS = { missing: MISSING, dropped: DROPPED };

/** What a member typed stays in its own line of the text. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
const capital = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** Tells the owners, each in their own language, that the record of a host is missing or that the host was dropped. */
export async function mailOwnersOfHost(tx: Tx, row: HostRow, what: 'missing' | 'dropped'): Promise<void> {
  const owners = await membersToTell(tx, row.org_id, { kind: 'tenant_host', group: null });
  const { name: org } = await tx.one<{ name: string }>(sql`select name from organizations where id = ${row.org_id}`);
  for (const { email, name, language } of owners) {
    const [subject, hello, ...lines] = WORDS[what][language]({
      owner: oneLine(name),
      org: oneLine(org),
      host: row.host,
      record: recordName(row.host),
      value: row.token,
    });
    await queueMail(tx, row.org_id, {
      kind: `tenant_host_${what}`,
      to: email,
      toName: name,
      object: row.id,
      subject,
      text: [hello!, ...lines.map(capital), 'Turnout'].join('\n\n'),
    });
  }
}
