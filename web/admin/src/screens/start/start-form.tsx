import type { Account, SignedIn, StartOffer } from '@turnout/client';
import { Problem } from '@turnout/client';
import { ComboBox, EmailField, Form, Notice, Submit, TextField, useAllWords, useWords } from '@turnout/ui';
import { useMemo, useRef, useState } from 'react';
import { call } from '../../frame/api.ts';
import { NewPassword } from '../sign-in/new-password.tsx';
import { codeOf } from './code.ts';
import { SignInFirst } from './sign-in-first.tsx';

const CODE = '[A-Za-z0-9][A-Za-z0-9_\\-]*';

/** Organization and owner. Whoever is signed in (`account`) owns it with that account. */
export function StartForm({
  token,
  offer,
  account,
  done,
}: {
  token: string;
  offer: StartOffer;
  account: Account | null;
  done: (reply: SignedIn) => void;
}) {
  const t = useWords('start');
  const { language } = useAllWords();
  const zones = useMemo(timeZones, []);
  // The code follows the name until somebody writes one of their own.
  const own = useRef(false);
  const [known, setKnown] = useState<string | null>(null);
  const begin = {
    name: account?.name ?? '',
    email: account?.email ?? offer.email ?? '',
    password: '',
    organization: '',
    code: '',
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
  const submit = async (values: typeof begin, { key }: { key: string }) => {
    setKnown(null);
    const { organization: name, code, timezone, password, email, ...person } = values;
    const body = {
      token,
      organization: { code, name: name.trim(), timezone },
      ...person,
      email: email.trim(),
      language,
      ...(password !== '' && { password }),
    };
    try {
      return await call('startOrganization', { body }, { key });
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'sign_in_required') throw error;
      setKnown(email.trim());
      return null;
    }
  };
  return (
    <Form
      values={begin}
      submit={submit}
      done={(reply) => reply !== null && done(reply)}
      places={{ 'organization/name': 'organization', 'organization/code': 'code', 'organization/timezone': 'timezone' }}
    >
      {({ field, set }) => (
        <>
          <fieldset className="start-part">
            <legend>{t('organization')}</legend>
            <TextField
              label={t('organizationName')}
              autoFocus
              autoComplete="organization"
              maxLength={200}
              {...field('organization')}
              onChange={(organization) =>
                own.current
                  ? field('organization').onChange(organization)
                  : set({ organization, code: codeOf(organization) })
              }
            />
            <TextField
              label={t('code')}
              hint={t('codeHint', { address: `${location.host}/app/${field('code').value || '…'}` })}
              maxLength={63}
              pattern={CODE}
              autoCapitalize="none"
              spellCheck={false}
              onInput={({ currentTarget: input }) => {
                input.setCustomValidity(input.validity.patternMismatch ? t('codeFault') : '');
              }}
              {...field('code')}
              onChange={(code) => {
                own.current = code !== '';
                field('code').onChange(code);
              }}
            />
            <ComboBox label={t('timezone')} options={zones} {...field('timezone')} />
          </fieldset>
          {account === null ? (
            <fieldset className="start-part">
              <legend>{t('you')}</legend>
              <TextField label={t('name')} autoComplete="name" maxLength={200} {...field('name')} />
              <EmailField
                label={t('email')}
                maxLength={254}
                readOnly={offer.email !== null}
                {...(offer.email !== null && { hint: t('emailMailed') })}
                {...field('email')}
              />
              <NewPassword required={false} field={field('password')} />
            </fieldset>
          ) : (
            <Notice>{t('asYou', { name: account.name, email: account.email })}</Notice>
          )}
          {known !== null && <SignInFirst email={known} then="/app/-/start" />}
          <Submit wide>{t('create')}</Submit>
        </>
      )}
    </Form>
  );
}

function timeZones(): { value: string; label: string }[] {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const all = new Set(['UTC', own, ...Intl.supportedValuesOf('timeZone')]);
  return [...all].sort().map((value) => ({ value, label: value.replaceAll('_', ' ') }));
}
