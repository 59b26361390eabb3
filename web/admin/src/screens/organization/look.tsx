import type { OrganizationSettings } from '@turnout/client';
import { accentOf, Button, Field, Form, Mark, Submit, TextField, useWords } from '@turnout/ui';
import './look.css';
import { useChangeOrganization } from './change.ts';

/** The colours that are used where an organization has chosen none, as in colours.css. */
const OURS = { light: '#0b6e66', dark: '#5cc8bd' };
const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** The one colour of the organization, shown as it will be in light and in dark. */
export function AccentForm({ settings }: { settings: OrganizationSettings }) {
  const t = useWords('organization');
  const change = useChangeOrganization();
  return (
    <Form
      values={{ accent: settings.accent ?? '' }}
      submit={({ accent }) => change({ accent: accent === '' ? null : accent })}
    >
      {({ field, values: { accent }, set }) => (
        <>
          <div className="columns">
            <TextField
              label={t('accent')}
              hint={t('accentHint')}
              placeholder={OURS.light}
              required={false}
              maxLength={7}
              spellCheck={false}
              pattern="#[0-9a-fA-F]{6}"
              {...field('accent')}
            />
            <Field label={t('pick')}>
              {(wiring) => (
                <input
                  className="colour"
                  type="color"
                  value={isColour(accent) ? accent : OURS.light}
                  onChange={(event) => set({ accent: event.target.value })}
                  {...wiring}
                />
              )}
            </Field>
          </div>
          <Preview colours={isColour(accent) ? accentOf(accent) : OURS} name={settings.name} />
          <div className="buttons">
            <Submit />
            {accent !== '' && (
              <Button kind="quiet" onClick={() => set({ accent: '' })}>
                {t('useOurs')}
              </Button>
            )}
          </div>
        </>
      )}
    </Form>
  );
}

/** Made darker or lighter where it could not be read otherwise: what is shown here is what people see. */
function Preview({ colours: { light, dark }, name }: { colours: typeof OURS; name: string }) {
  const t = useWords('organization');
  return (
    <div className="look-preview">
      {(['light', 'dark'] as const).map((theme) => (
        <div
          key={theme}
          className="look-sample"
          data-theme={theme}
          style={{ '--accent-light': light, '--accent-dark': dark } as React.CSSProperties}
        >
          <span className="row">
            <Mark name={name} /> <strong>{name}</strong>
          </span>
          <span className="look-link">{t('sampleLink')}</span>
          <span className="button" data-kind="main">
            {t('sampleButton')}
          </span>
          <small className="soft">{t(theme === 'light' ? 'inLight' : 'inDark')}</small>
        </div>
      ))}
    </div>
  );
}
