import { Problem } from '@turnout/client';
import { ProblemNotice } from '@turnout/ui';

/** A refusal with everything that is wrong, for what has no fields to show it beside. */
export const WholeProblem = ({ problem }: { problem: unknown }) => (
  <ProblemNotice problem={problem}>
    {problem instanceof Problem && problem.details.length > 0 && (
      <ul>
        {problem.details.map(({ path, message }) => (
          <li key={`${path} ${message}`}>{path === 'csv' || path === '' ? message : `${path}: ${message}`}</li>
        ))}
      </ul>
    )}
  </ProblemNotice>
);
