/** How long things stay on the screen, and how long they are pressed. Milliseconds. */

/** How long a success covers the camera, which reads on meanwhile. */
export const SUCCESS_MS = 800;
/** Nobody taps a kiosk for the next person, and whoever checks in alone needs longer to read. */
export const KIOSK_SUCCESS_MS = 2500;
export const KIOSK_REFUSAL_MS = 7000;
/** How long the button that ends kiosk mode without the server is held. */
export const KIOSK_HOLD_MS = 5000;
