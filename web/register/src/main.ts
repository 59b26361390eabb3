import { lookForPayment } from './confirming.ts';
import { showFaultsWhileTyping } from './faults.ts';
import { tellHeight } from './frame.ts';
import { showLocalTime } from './local-time.ts';
import { offerByDays } from './products.ts';
import { showTotal } from './total.ts';
import { sendWithoutReload } from './without-reload.ts';

/**
 * Makes the registration pages nicer. Everything works without it: each page is whole when it arrives, and each form can be sent as it is.
 */
function enhance(): void {
  showTotal();
  showLocalTime();
}

showFaultsWhileTyping();
offerByDays();
sendWithoutReload(enhance);
tellHeight();
enhance();
lookForPayment(enhance);
