import { newKey, Problem } from '@turnout/client';
import type { Words } from '@turnout/words';
import {
  createContext,
  type FormEvent,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Button, type ButtonKind } from './button.tsx';
import { faultText } from './fault-text.ts';
import { ProblemNotice } from './notice.tsx';
import { announce, toast } from './toast.tsx';
import { useLate } from './waiting.tsx';
import { useAllWords, useWords } from './words.tsx';

/** Tells the app which forms hold changes that are not saved, and which of those are being saved, so that it can ask before leaving. */
export type TellUnsaved = (form: string, changed: boolean, saving?: boolean) => void;
export const Unsaved = createContext<TellUnsaved | null>(null);

export interface FormField<Value> {
  name: string;
  value: Value;
  onChange: (value: Value) => void;
  fault: string | undefined;
}
export interface FormParts<V> {
  values: V;
  changed: boolean;
  /** Everything that a field needs but its label: `<TextField label={t('name')} {...field('name')} />`. */
  field: <Name extends keyof V & string>(name: Name) => FormField<V[Name]>;
  set: (change: Partial<V>) => void;
  /**
   * The faults inside a field whose value is an object or a list, by what follows its name: `faultsIn('answers')` may be
   * `{ diet: 'Fill this in.' }`. The names of the inputs inside are whole paths: `answers/diet`.
   */
  faultsIn: (path: string) => Readonly<Record<string, string>>;
}

interface FormProps<V, R> {
  /** What the form begins with. When these change (because they were saved or loaded again) and nothing was typed, it follows. */
  values: V;
  /** Sends it. `key` is the `Idempotency-Key` of this submission: pass it to `call`. */
  submit: (values: V, options: { key: string }) => Promise<R>;
  /** After it was accepted; without it, a message says that it was saved. The values are kept as the saved ones, unless `reset` is set. */
  done?: (reply: R, values: V) => void;
  /** Empties the form after it was accepted. */
  reset?: boolean;
  /** Which field a fault of the server belongs to, where the body names it differently: `{ 'defaults/currency': 'currency' }`. */
  places?: Readonly<Record<string, keyof V & string>>;
  /** A form that may be left without asking, such as the one for signing in. */
  careless?: boolean;
  children: (parts: FormParts<V>) => ReactNode;
}

/** A field with a fault; of a group of options, the first one. */
const WRONG = '[aria-invalid="true"], [data-invalid] input';

const Sending = createContext<{ busy: boolean; changed: boolean }>({ busy: false, changed: false });

/**
 * Keeps what was typed when a call fails, shows each fault beside its field, asks before it is left with changes, and sends one
 * `Idempotency-Key` for as long as the same submission is tried again.
 */
export function Form<V extends object, R>({
  values: initialValues,
  submit,
  done,
  reset,
  places,
  careless,
  children,
}: FormProps<V, R>) {
  const t = useWords('common');
  const words = useAllWords();
  const [saved, setSaved] = useState(initialValues);
  const [values, setValues] = useState(initialValues);
  const [problem, setProblem] = useState<unknown>(null);
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [tries, setTries] = useState(0);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const attempt = useRef<{ key: string; body: string } | null>(null);
  const changed = JSON.stringify(values) !== JSON.stringify(saved);

  const text = JSON.stringify(initialValues);
  const [followed, setFollowed] = useState(text);
  if (text !== followed) {
    setFollowed(text);
    setSaved(initialValues);
    if (!changed) setValues(initialValues);
  }
  useUnsaved(changed && careless !== true, busy);
  // The first field with a fault gets the focus, after it was drawn with it: once for each try, not while somebody mends another one.
  useLayoutEffect(() => {
    if (tries > 0) form.current?.querySelector<HTMLElement>(WRONG)?.focus();
  }, [tries]);

  const send = async (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (busy) return;
    const missing = localFaults(form.current!, t);
    setFaults(missing);
    setTries((count) => count + 1);
    setProblem(null);
    const count = Object.keys(missing).length;
    if (count > 0) return announce(t('faults', { count }));
    const body = JSON.stringify(values);
    if (attempt.current?.body !== body) attempt.current = { key: newKey(), body };
    setBusy(true);
    try {
      const reply = await submit(values, { key: attempt.current.key });
      attempt.current = null;
      setSaved(reset ? initialValues : values);
      if (reset) setValues(initialValues);
      setBusy(false);
      if (done === undefined) toast(t('saved'), 'good');
      else done(reply, values);
    } catch (error) {
      // Nobody knows whether it was done, so trying again must send the same key. After a refusal it is a new submission.
      if (!(error instanceof Problem && (error.unanswered || error.status >= 500))) attempt.current = null;
      // The words for what is wrong. Without them, the server's own are shown.
      await words.need('refusals').catch(() => {});
      setBusy(false);
      setFaults(serverFaults(words, error, Object.keys(values), places));
      setTries((count) => count + 1);
      setProblem(error);
      if (!(error instanceof Problem)) throw error;
    }
  };

  const field: FormParts<V>['field'] = (name) => ({
    name,
    value: values[name],
    onChange: (value) => {
      setValues((before) => ({ ...before, [name]: value }));
      setFaults((before) => faultsLeft(before, name, values[name], value));
    },
    fault: faults[name],
  });
  const set = (change: Partial<V>) => setValues((before) => ({ ...before, ...change }));
  const faultsIn = (path: string) =>
    Object.fromEntries(
      Object.entries(faults).flatMap(([name, fault]) =>
        name.startsWith(`${path}/`) ? [[name.slice(path.length + 1), fault]] : [],
      ),
    );
  return (
    <Sending value={{ busy, changed }}>
      <form className="form" ref={form} onSubmit={send} noValidate aria-busy={busy || undefined}>
        {children({ values, changed, field, set, faultsIn })}
        <ProblemNotice problem={problem}>
          <Elsewhere problem={problem} shown={faults} />
        </ProblemNotice>
      </form>
    </Sending>
  );
}

/** The button that sends the form. It says “Save” unless told otherwise. */
export function Submit({ children, kind = 'main', wide }: { children?: ReactNode; kind?: ButtonKind; wide?: boolean }) {
  const { busy } = useContext(Sending);
  const t = useWords('common');
  return (
    <>
      <Button type="submit" kind={kind} busy={busy} {...(wide && { wide })}>
        {children ?? t('save')}
      </Button>
      {busy && <Working />}
    </>
  );
}

/** Says after a second that it is not stuck. */
function Working() {
  const t = useWords('common');
  return useLate(1000) ? <small role="status">{t('working')}</small> : null;
}

/** The faults that have no field in this form. */
function Elsewhere({ problem, shown }: { problem: unknown; shown: Readonly<Record<string, string>> }) {
  const words = useAllWords();
  if (!(problem instanceof Problem)) return null;
  const texts = new Set(Object.values(shown));
  const rest = problem.details.filter((detail) => !texts.has(faultText(words, detail)));
  if (rest.length === 0) return null;
  return (
    <ul>
      {rest.map((detail) => (
        <li key={`${detail.path} ${detail.message}`}>
          {detail.path === '' ? '' : `${detail.path}: `}
          {faultText(words, detail)}
        </li>
      ))}
    </ul>
  );
}

function serverFaults(
  words: Words,
  error: unknown,
  names: readonly string[],
  places: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const faults: Record<string, string> = {};
  if (!(error instanceof Problem)) return faults;
  for (const detail of error.details) {
    const { path } = detail;
    const name =
      places[path] ?? names.find((one) => path === one || path.startsWith(`${one}/`) || path.endsWith(`/${one}`));
    if (name === undefined) continue;
    faults[name] ??= faultText(words, detail);
    if (path.startsWith(`${name}/`)) faults[path] ??= faultText(words, detail);
  }
  return faults;
}

/** After a field was changed: its own fault is gone, and of those inside it the ones whose values are others now. */
function faultsLeft(
  faults: Readonly<Record<string, string>>,
  name: string,
  before: unknown,
  after: unknown,
): Record<string, string> {
  const isGone = (path: string) =>
    path === name ||
    (path.startsWith(`${name}/`) &&
      valueAt(before, path.slice(name.length + 1)) !== valueAt(after, path.slice(name.length + 1)));
  return Object.fromEntries(Object.entries(faults).filter(([path]) => !isGone(path)));
}
const valueAt = (value: unknown, path: string): unknown =>
  path
    .split('/')
    .reduce<unknown>(
      (of, key) => (typeof of === 'object' && of !== null ? (of as Record<string, unknown>)[key] : undefined),
      value,
    );

/** What the browser can tell without the server: an empty field that is required, something that is no e-mail address. */
function localFaults(form: HTMLFormElement, t: ReturnType<typeof useWords<'common'>>): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const element of form.elements) {
    if (
      !(
        element instanceof HTMLInputElement ||
        element instanceof HTMLSelectElement ||
        element instanceof HTMLTextAreaElement
      )
    )
      continue;
    const { name, validity, validationMessage } = element;
    if (name === '' || validity.valid) continue;
    if (validity.valueMissing) faults[name] ??= t('faultMissing');
    else if (validity.typeMismatch && element.type === 'email') faults[name] ??= t('faultEmail');
    else faults[name] ??= validationMessage;
  }
  return faults;
}

/** Tells the app that something on the screen, this form for example, holds changes that are not saved. */
export function useUnsaved(changed: boolean, saving = false): void {
  const id = useId();
  const tell = useContext(Unsaved);
  useEffect(() => {
    tell?.(id, changed, saving);
    return () => tell?.(id, false);
  }, [tell, id, changed, saving]);
}
