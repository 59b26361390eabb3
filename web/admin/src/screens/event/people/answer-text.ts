import { useFormats, useWords } from '@turnout/ui';
import { useCallback } from 'react';
import { answerText } from './text-of-answer.ts';

/** An answer in words; nothing if there is none. */
export function useAnswerText(): (answer: unknown) => string {
  const t = useWords('parts');
  const formats = useFormats();
  return useCallback((answer) => answerText(answer, { t, formats }), [t, formats]);
}
