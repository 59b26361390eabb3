import { RouterProvider } from '@tanstack/react-router';
import { makeRouter } from './routes.ts';

/** Every screen, by the address that the page has now. */
export const allScreens = () => <RouterProvider router={makeRouter()} />;
