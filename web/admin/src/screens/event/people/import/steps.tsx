import { Link } from '@tanstack/react-router';
import { CheckIcon, useWords } from '@turnout/ui';
import './import.css';

/** Where one is in a task of several steps. Those that were done can be gone back to. */
export function Steps<Step extends string>({
  label,
  steps,
  here,
  open,
}: {
  label: string;
  steps: readonly { id: Step; name: string }[];
  here: Step;
  /** Whether a step can be gone to now. */
  open: (step: Step) => boolean;
}) {
  const t = useWords('import');
  const at = steps.findIndex(({ id }) => id === here);
  return (
    <nav aria-label={label}>
      <ol className="import-steps">
        {steps.map(({ id, name }, i) => (
          <li key={id} data-done={i < at || undefined} aria-current={id === here ? 'step' : undefined}>
            <span className="import-steps-number" aria-hidden="true">
              {i < at ? <CheckIcon /> : i + 1}
            </span>
            {id !== here && open(id) ? (
              <Link to="." search={((old: object) => ({ ...old, step: id })) as never}>
                {name}
              </Link>
            ) : (
              <span>{name}</span>
            )}
            {i < at && <span className="hidden">{t('stepDone')}</span>}
          </li>
        ))}
      </ol>
    </nav>
  );
}
