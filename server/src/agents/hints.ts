/**
 * What the tools that change something tell an agent's program about themselves. Programs use it to decide whether they ask a person
 * first. It is a table so that every operation was decided by somebody (hints.test.ts), and a hint, not a wall: what is allowed is
 * decided by the key.
 *
 * - `adds`: something new is there afterwards, and nothing is lost.
 * - `changes`: something is replaced or moved to another state, and could be put back by another call.
 * - `ends`: something is lost, cannot be taken back, or takes something away from people: a place, a ticket, money, a working
 *   integration.
 *
 * `reaches`: people or other systems notice it at once, because a mail, a payment or a request to another server follows from it.
 */
export interface Hint {
  does: 'adds' | 'changes' | 'ends';
  reaches?: true;
}

const reaches = true;

export const HINTS: Readonly<Record<string, Hint>> = {
  changeOrganization: { does: 'changes' },
  removeLogo: { does: 'ends' },
  addTenantHost: { does: 'adds' },
  checkTenantHost: { does: 'changes', reaches },
  makeTenantHostPrimary: { does: 'changes' },
  removeTenantHost: { does: 'ends' },

  createGroup: { does: 'adds' },
  changeGroup: { does: 'changes' },
  moveGroup: { does: 'changes' },
  deleteGroup: { does: 'ends' },

  createEvent: { does: 'adds' },
  changeEvent: { does: 'changes' },
  deleteEvent: { does: 'ends' },
  publishEvent: { does: 'changes', reaches },
  closeEvent: { does: 'ends' },
  archiveEvent: { does: 'ends' },
  removeEventImage: { does: 'ends' },
  createDay: { does: 'adds' },
  changeDay: { does: 'changes' },
  deleteDay: { does: 'ends' },
  lockDay: { does: 'changes' },
  unlockDay: { does: 'changes' },
  createAttendeeType: { does: 'adds' },
  changeAttendeeType: { does: 'changes' },
  deleteAttendeeType: { does: 'ends' },
  createProduct: { does: 'adds' },
  changeProduct: { does: 'changes' },
  deleteProduct: { does: 'ends' },
  createQuota: { does: 'adds' },
  changeQuota: { does: 'changes' },
  deleteQuota: { does: 'ends' },
  createDiscount: { does: 'adds' },
  createDiscountBatch: { does: 'adds' },
  changeDiscount: { does: 'changes' },
  deleteDiscount: { does: 'ends' },
  createQuestion: { does: 'adds' },
  changeQuestion: { does: 'changes' },
  deleteQuestion: { does: 'ends' },
  createCheckInPoint: { does: 'adds' },
  changeCheckInPoint: { does: 'changes' },
  deleteCheckInPoint: { does: 'ends' },
  importEventTemplate: { does: 'adds' },

  createRegistration: { does: 'adds', reaches },
  changeRegistration: { does: 'changes', reaches },
  addAttendee: { does: 'adds', reaches },
  approveRegistration: { does: 'changes', reaches },
  declineRegistration: { does: 'ends', reaches },
  cancelRegistration: { does: 'ends', reaches },
  promoteRegistration: { does: 'changes', reaches },
  changeAttendee: { does: 'changes', reaches },
  cancelAttendee: { does: 'ends', reaches },
  changeContact: { does: 'changes' },
  eraseContact: { does: 'ends' },
  startBulkAction: { does: 'ends', reaches },

  issueTicket: { does: 'adds', reaches },
  voidTicket: { does: 'ends', reaches },
  // The code of the old ticket stops working.
  reissueTicket: { does: 'ends', reaches },
  sendTicket: { does: 'adds', reaches },
  recordPayment: { does: 'adds', reaches },
  refundPayment: { does: 'ends', reaches },
  startCheckout: { does: 'adds', reaches },

  scanTicket: { does: 'adds' },
  handOut: { does: 'adds' },
  scanBatch: { does: 'adds' },
  clearTestCheckIns: { does: 'ends' },

  createCommunication: { does: 'adds' },
  changeCommunication: { does: 'changes' },
  deleteCommunication: { does: 'ends' },
  previewCommunication: { does: 'adds' },
  testCommunication: { does: 'adds', reaches },
  // What was mailed to many people cannot be called back.
  sendCommunication: { does: 'ends', reaches },
  cancelCommunication: { does: 'ends' },

  createWebhook: { does: 'adds', reaches },
  changeWebhook: { does: 'changes', reaches },
  deleteWebhook: { does: 'ends' },
  testWebhook: { does: 'adds', reaches },
  rotateWebhookSecret: { does: 'ends' },
  pauseWebhook: { does: 'ends' },
  enableWebhook: { does: 'changes', reaches },
  replayWebhookDelivery: { does: 'adds', reaches },
  replayWebhook: { does: 'adds', reaches },

  // People who match are changed in place.
  importPeople: { does: 'changes', reaches },
  createExport: { does: 'adds' },
  cancelJob: { does: 'ends' },
};
