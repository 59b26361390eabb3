import { useWords } from '@turnout/ui';
import { MarkdownField } from '../../../parts/markdown-field.tsx';

const PLACEHOLDERS = [
  ...(['first_name', 'last_name', 'attendee_type', 'days', 'ticket_codes', 'registration'] as const),
  ...(['event', 'venue', 'organization'] as const),
];

/** The text of a message, with the placeholders that stand for what differs from person to person. */
export function MessageText({
  value,
  onChange,
  fault,
}: {
  value: string;
  onChange: (text: string) => void;
  fault: string | undefined;
}) {
  const t = useWords('messages');
  return (
    <MarkdownField
      label={t('text')}
      hint={t('textHint')}
      rows={12}
      value={value}
      onChange={onChange}
      fault={fault}
      placeholders={{
        title: t('placeholders'),
        hint: t('placeholdersHint', { example: `{{first_name|${t('guest')}}}` }),
        items: PLACEHOLDERS.map((name) => ({
          value: `{{${name}}}`,
          label: t(`placeholder.${name}`),
          action: t('insert', { what: t(`placeholder.${name}`) }),
        })),
      }}
    />
  );
}
