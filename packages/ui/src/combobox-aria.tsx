import { Button, ComboBox, FieldError, Input, Label, ListBox, ListBoxItem, Popover, Text } from 'react-aria-components';
import './css/overlay.css';
import type { ComboBoxProps } from './combobox-props.ts';
import { ChevronIcon } from './icons.tsx';
import { useWords } from './words.tsx';

export default function AriaComboBox({
  label,
  name,
  value,
  onChange,
  options,
  hint,
  fault,
  required = true,
  disabled,
  placeholder,
}: ComboBoxProps) {
  const t = useWords('common');
  return (
    <ComboBox
      className="field"
      selectedKey={value === '' ? null : value}
      onSelectionChange={(key) => onChange(key === null ? '' : String(key))}
      defaultItems={options}
      isInvalid={fault !== undefined}
      isRequired={required}
      validationBehavior="aria"
      isDisabled={disabled ?? false}
      menuTrigger="focus"
      allowsEmptyCollection
    >
      <Label>
        {label}
        {!required && <span className="optional"> ({t('optional')})</span>}
      </Label>
      <div className="with-button">
        <Input className="input" placeholder={placeholder ?? t('choose')} />
        <Button className="button" data-kind="quiet">
          <ChevronIcon />
        </Button>
      </div>
      {name !== undefined && <input type="hidden" name={name} value={value} />}
      {hint !== undefined && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <FieldError className="fault">{fault}</FieldError>
      <Popover className="popover">
        <ListBox className="menu" renderEmptyState={() => <div className="menu-head">{t('noMatch')}</div>}>
          {(option: (typeof options)[number]) => (
            <ListBoxItem id={option.value} className="menu-item" textValue={option.label}>
              {option.label}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
