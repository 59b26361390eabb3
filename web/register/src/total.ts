/** Writes the total below the numbers of people, as they are chosen. */
export function showTotal(): void {
  const form = document.querySelector<HTMLFormElement>('form.choose');
  const line = form?.querySelector<HTMLElement>('.total');
  const output = line?.querySelector('output');
  if (form == null || line == null || output == null) return;
  const { currency = 'EUR', locale = 'en' } = form.dataset;
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  const update = () => {
    const minor = [...form.querySelectorAll<HTMLSelectElement>('select[data-price]')].reduce(
      (sum, field) => sum + Number(field.value) * Number(field.dataset.price),
      0,
    );
    output.textContent = format.format(minor / 10 ** digits);
    line.hidden = false;
  };
  form.addEventListener('change', update);
  update();
}
