import { CheckIcon } from '@turnout/ui';
import type { ReactNode } from 'react';
import './todo-list.css';

export interface Todo {
  id: string;
  /** What is to be done, as a whole sentence: a link that leads there, or plain text if nothing can be done in the app. */
  action: ReactNode;
  /** What it is about, or why. */
  about?: ReactNode;
}

/** What somebody has to decide or to repair, a line each. The whole line is the link. */
export function TodoList({ todos }: { todos: readonly Todo[] }) {
  return (
    <ul className="todo">
      {todos.map(({ id, action, about }) => (
        <li key={id}>
          <span className="todo-action">{action}</span>
          {about !== undefined && about !== '' && <span className="todo-about soft small">{about}</span>}
        </li>
      ))}
    </ul>
  );
}

/** There is nothing to do. */
export const CaughtUp = ({ children }: { children: ReactNode }) => (
  <p className="soft todo-none">
    <CheckIcon /> {children}
  </p>
);
