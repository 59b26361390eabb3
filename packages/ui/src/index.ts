export { accentOf, applyAccent, contrast } from './accent.ts';
export { Badge } from './badge.tsx';
export { Button, type ButtonKind, type ButtonProps } from './button.tsx';
export { ComboBox } from './combobox.tsx';
export { CopyButton, CopyField } from './copy.tsx';
export { ConfirmDialog, closeDialog, Dialog } from './dialog.tsx';
export { faultText } from './fault-text.ts';
export {
  Checkbox,
  Checkboxes,
  EmailField,
  Fault,
  Field,
  type FieldProps,
  type Option,
  PasswordField,
  Radios,
  Select,
  Switch,
  TextArea,
  TextField,
} from './fields.tsx';
export { Form, type FormField, type FormParts, Submit, type TellUnsaved, Unsaved, useUnsaved } from './form.tsx';
export type { Icon } from './icon.tsx';
export * from './icons.tsx';
export { Menu } from './menu.tsx';
export type { MenuGroup, MenuItem } from './menu-props.ts';
export { Notice, ProblemHelp, ProblemNotice, RequestId, useProblemText } from './notice.tsx';
export { EmptyState, Facts, Heading, Mark, Page, PlainPage, QuietPages, Section, Tabs } from './page.tsx';
export {
  CardsShape,
  DataShape,
  FiguresShape,
  FormShape,
  LinesShape,
  SectionShape,
  TableShape,
} from './shapes.tsx';
export * from './sign-icons.tsx';
export { type Column, Table } from './table.tsx';
export { applyTheme, currentTheme, readChoice, storeChoice, THEMES, type Theme } from './theme.ts';
export { Ago, Time } from './time.tsx';
export { announce, type ToastAction, Toasts, toast } from './toast.tsx';
export type { Tone } from './tone.ts';
export { Skeleton, Spinner, useLate } from './waiting.tsx';
export { rich, useAllWords, useFormats, useWords, WordsProvider } from './words.tsx';
