import type { AccountLanguage, ApiKey } from '@turnout/contract';
import { type Id, toUuid } from '../../common/ids.ts';
import type { Organization } from '../../road/caller.ts';
import { queueMail } from '../../road/for-areas/mail.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { membersToTell } from '../groups/index.ts';

interface About {
  owner: string;
  org: string;
  key: string;
  scopes: string;
  /** Null: the key reaches the whole organization. */
  group: string | null;
  /** Null: the operator made it. */
  by: string | null;
}

/** The subject, and the lines of the text. */
const WORDS: Record<AccountLanguage, (about: About) => [string, string[]]> = {
  en: ({ owner, org, key, scopes, group, by }) => [
    `${org}: a new API key with the scope admin`,
    [
      `Hello ${owner},`,
      `${by ?? 'the operator of this installation'} has created the API key “${key}” for ${org}. Its scopes are: ${scopes}.${group === null ? '' : ` It is limited to the group ${group}.`}`,
      'With the scope admin, a program can delete events, erase people, change groups and read the audit log.',
      'If you do not know what the key is for, revoke it in the app under Developers. It then stops working at once.',
    ],
  ],
  de: ({ owner, org, key, scopes, group, by }) => [
    `${org}: ein neuer API-Schlüssel mit dem Recht admin`,
    [
      `Hallo ${owner},`,
      `${by ?? 'der Betreiber dieser Installation'} hat für ${org} den API-Schlüssel „${key}“ erstellt. Seine Rechte sind: ${scopes}.${group === null ? '' : ` Er ist auf die Gruppe ${group} beschränkt.`}`,
      'Mit dem Recht admin kann ein Programm Veranstaltungen löschen, Personendaten löschen, Gruppen ändern und das Protokoll lesen.',
      'Wenn Sie nicht wissen, wofür der Schlüssel da ist, widerrufen Sie ihn in der App unter „Entwickler“. Er gilt dann sofort nicht mehr.',
    ],
  ],
  fr: ({ owner, org, key, scopes, group, by }) => [
    `${org} : une nouvelle clé d’API avec le droit admin`,
    [
      `Bonjour ${owner},`,
      `${by ?? 'l’exploitant de cette installation'} a créé la clé d’API « ${key} » pour ${org}. Ses droits sont : ${scopes}.${group === null ? '' : ` Elle est limitée au groupe ${group}.`}`,
      'Avec le droit admin, un programme peut supprimer des événements, effacer des personnes, modifier les groupes et lire le journal.',
      'Si vous ne savez pas à quoi sert cette clé, révoquez-la dans l’application sous « Développeurs ». Elle cesse aussitôt de fonctionner.',
    ],
  ],
  es: ({ owner, org, key, scopes, group, by }) => [
    `${org}: una nueva clave de API con el permiso admin`,
    [
      `Hola, ${owner}:`,
      `${by ?? 'el operador de esta instalación'} ha creado la clave de API «${key}» para ${org}. Sus permisos son: ${scopes}.${group === null ? '' : ` Está limitada al grupo ${group}.`}`,
      'Con el permiso admin, un programa puede eliminar eventos, borrar los datos de personas, cambiar los grupos y leer el registro.',
      'Si no sabe para qué sirve esta clave, revóquela en la aplicación, en «Desarrolladores». Dejará de funcionar de inmediato.',
    ],
  ],
};

/** What a member typed stays in its own line of the text. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
const capital = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** Tells the owners of a new key, each in their own language, if the key can do what only few should. */
export async function mailOwnersOfKey(tx: Tx, org: Pick<Organization, 'id' | 'name'>, key: ApiKey): Promise<void> {
  if (!key.scopes.includes('admin')) return;
  const id = toUuid(key.id);
  const { group_id } = await tx.one<{ group_id: Id | null }>(
    sql`select group_id from api_keys where org_id = ${org.id} and id = ${id}`,
  );
  const owners = await membersToTell(tx, org.id, { kind: 'api_key', group: group_id });
  for (const owner of owners) {
    const [subject, [hello, ...lines]] = WORDS[owner.language]({
      owner: oneLine(owner.name),
      org: org.name,
      key: oneLine(key.name),
      scopes: key.scopes.join(', '),
      group: key.group,
      by: key.created_by === null ? null : oneLine(key.created_by),
    });
    await queueMail(tx, org.id, {
      kind: 'api_key_created',
      to: owner.email,
      toName: owner.name,
      object: id,
      subject,
      text: [hello!, ...lines.map(capital), 'Turnout'].join('\n\n'),
    });
  }
}
