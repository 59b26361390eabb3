type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const isField = (element: EventTarget | null): element is Field =>
  element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement;

/** Says beside a field what is wrong with it as soon as it is left, and takes it back as soon as it is right. */
export function showFaultsWhileTyping(): void {
  document.addEventListener('focusout', ({ target }) => {
    if (isField(target) && isChecked(target)) tell(target);
  });
  document.addEventListener('input', ({ target }) => {
    if (isField(target) && target.getAttribute('aria-invalid') === 'true') tell(target);
  });
}

/** Boxes and buttons to tick are checked by the server, as a group. */
const isChecked = (field: Field): boolean =>
  field.form?.classList.contains('register') === true && field.id !== '' && !['checkbox', 'radio'].includes(field.type);

function tell(field: Field): void {
  const id = `${field.id}-fault`;
  const text = faultOf(field);
  const shown = document.getElementById(id);
  const others = (field.getAttribute('aria-describedby') ?? '').split(' ').filter((one) => one !== '' && one !== id);
  if (text === null) {
    shown?.remove();
    field.removeAttribute('aria-invalid');
  } else {
    const note = shown ?? document.createElement('span');
    note.id = id;
    note.className = 'fault';
    note.textContent = text;
    if (shown === null) field.after(note);
    field.setAttribute('aria-invalid', 'true');
    others.push(id);
  }
  if (others.length === 0) field.removeAttribute('aria-describedby');
  else field.setAttribute('aria-describedby', others.join(' '));
}

/** The words are those of the page. */
function faultOf({ validity, value, required, form }: Field): string | null {
  const { required: missing = '', email = '' } = form?.dataset ?? {};
  if (required && value.trim() === '') return missing;
  if (validity.typeMismatch) return email;
  return null;
}
