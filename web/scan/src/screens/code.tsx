import { typedCode } from '@turnout/checkin';
import { useState } from 'preact/hooks';
import { hold, sheet } from '../parts/door.ts';
import { Field } from '../parts/form.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { t } from '../parts/words.ts';

/** Typing the code that is printed below the picture. */
export function TypeCode() {
  const [code, setCode] = useState('');
  const close = () => {
    sheet.value = null;
  };
  return (
    <Sheet title={t('typeTitle')} onClose={close}>
      <form
        class="sheet-form"
        onSubmit={(event) => {
          event.preventDefault();
          const text = code.trim();
          if (text === '') return;
          close();
          void hold({ code: typedCode(text) });
        }}
      >
        <Field
          label={t('code')}
          hint={t('codeHint')}
          value={code}
          onText={setCode}
          class="code"
          maxLength={500}
          autocapitalize="characters"
          spellcheck={false}
          enterkeyhint="go"
          autofocus
        />
        <div class="sheet-actions">
          <button type="submit" class="main" disabled={code.trim() === ''}>
            {t('checkIn')}
          </button>
        </div>
      </form>
    </Sheet>
  );
}
