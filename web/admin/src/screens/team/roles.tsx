import { PERMISSIONS, ROLE_PERMISSIONS, ROLES } from '@turnout/contract/access';
import { CheckIcon, MinusIcon, useWords } from '@turnout/ui';
import './roles.css';

/** What each role may, as a table. A sign and a word say it, not a colour. */
export function Roles() {
  const t = useWords('team');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the table may be wider than the screen, so the keyboard must be able to scroll it
    <figure className="table-scroll" aria-label={t('roles')} tabIndex={0}>
      <table className="table roles">
        <thead>
          <tr>
            <th scope="col">{t('permission')}</th>
            {ROLES.map((role) => (
              <th key={role} scope="col">
                <span>{t(`role.${role}`)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {PERMISSIONS.map((permission) => (
            <tr key={permission}>
              <th scope="row">{t(`may.${permission}`)}</th>
              {ROLES.map((role) => {
                const has = ROLE_PERMISSIONS[role].includes(permission);
                return (
                  <td key={role}>
                    <span aria-hidden="true" data-has={has || undefined}>
                      {has ? <CheckIcon /> : <MinusIcon />}
                    </span>
                    <span className="hidden">{t(has ? 'yes' : 'no')}</span>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
