/** Offers what can be booked on a day as soon as the day is chosen, and takes it back when it no longer is. */
export function offerByDays(): void {
  document.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && /^p\d+-days$/.test(target.name) && target.form !== null) {
      for (const extra of target.form.querySelectorAll<HTMLFieldSetElement>('fieldset.extra[data-days]')) {
        const isOffered = comesOnOneOf(target.form, extra.dataset);
        extra.hidden = !isOffered;
        // What is switched off is not sent, and keeps what was chosen.
        extra.disabled = !isOffered;
      }
    }
  });
}

/** Whether one of the people comes on one of the days. Whoever has no choice of days has no boxes: the server has offered them all theirs. */
function comesOnOneOf(form: HTMLFormElement, { people = '', days = '' }: DOMStringMap): boolean {
  const wanted = new Set(days.split(' '));
  return people.split(' ').some((i) => {
    const boxes = [...form.querySelectorAll<HTMLInputElement>(`input[name="p${i}-days"]`)];
    return boxes.length === 0 || boxes.some((box) => box.checked && wanted.has(box.value));
  });
}
