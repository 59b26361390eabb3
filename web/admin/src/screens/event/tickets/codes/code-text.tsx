import { Button, type FormParts, TextField, useWords } from '@turnout/ui';
import { type DiscountValues, suggestedCode } from './discount-values.ts';

const random = (bytes: number): Uint8Array => crypto.getRandomValues(new Uint8Array(bytes));

/** What people type. */
export function CodeText({
  parts: { field, set },
  suggests,
}: {
  parts: FormParts<DiscountValues>;
  suggests?: boolean;
}) {
  const t = useWords('selling');
  return (
    <div className="stack" data-gap="small">
      <TextField
        label={t('code')}
        hint={t('codeHint')}
        maxLength={64}
        minLength={3}
        placeholder="FRIENDS-25"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        {...field('code')}
      />
      {suggests && (
        <div className="buttons">
          <Button size="small" onClick={() => set({ code: suggestedCode(random) })}>
            {t('suggest')}
          </Button>
        </div>
      )}
    </div>
  );
}
