/**
 * What the operations are called in the client libraries, by operationId: `registrations.create` is
 * `turnout.registrations.create(…)` in TypeScript, and in Python the same in its own spelling (`attendee_types.list`). They are
 * part of what programs are written against, so a name that was released stays.
 */
export const CLIENT_NAMES: Readonly<Record<string, string>> = {
  getMe: 'me.get',
  getOrganization: 'organization.get',
  changeOrganization: 'organization.update',
  setLogo: 'organization.setLogo',
  removeLogo: 'organization.removeLogo',
  listTenantHosts: 'hosts.list',
  addTenantHost: 'hosts.add',
  checkTenantHost: 'hosts.check',
  makeTenantHostPrimary: 'hosts.makePrimary',
  removeTenantHost: 'hosts.remove',

  listGroups: 'groups.list',
  createGroup: 'groups.create',
  getGroup: 'groups.get',
  changeGroup: 'groups.update',
  deleteGroup: 'groups.delete',
  moveGroup: 'groups.move',

  listEvents: 'events.list',
  createEvent: 'events.create',
  getEvent: 'events.get',
  changeEvent: 'events.update',
  deleteEvent: 'events.delete',
  publishEvent: 'events.publish',
  closeEvent: 'events.close',
  archiveEvent: 'events.archive',
  setEventImage: 'events.setImage',
  removeEventImage: 'events.removeImage',
  getOverview: 'events.overview',
  listActivity: 'events.activity',
  getEventSummary: 'events.summary',
  getAvailability: 'events.availability',

  listDays: 'days.list',
  createDay: 'days.create',
  getDay: 'days.get',
  changeDay: 'days.update',
  deleteDay: 'days.delete',
  lockDay: 'days.lock',
  unlockDay: 'days.unlock',

  listAttendeeTypes: 'attendeeTypes.list',
  createAttendeeType: 'attendeeTypes.create',
  getAttendeeType: 'attendeeTypes.get',
  changeAttendeeType: 'attendeeTypes.update',
  deleteAttendeeType: 'attendeeTypes.delete',

  listProducts: 'products.list',
  createProduct: 'products.create',
  getProduct: 'products.get',
  changeProduct: 'products.update',
  deleteProduct: 'products.delete',

  listQuotas: 'quotas.list',
  createQuota: 'quotas.create',
  getQuota: 'quotas.get',
  changeQuota: 'quotas.update',
  deleteQuota: 'quotas.delete',

  listDiscounts: 'discounts.list',
  createDiscount: 'discounts.create',
  getDiscount: 'discounts.get',
  changeDiscount: 'discounts.update',
  deleteDiscount: 'discounts.delete',
  createDiscountBatch: 'discounts.createBatch',

  listQuestions: 'questions.list',
  createQuestion: 'questions.create',
  getQuestion: 'questions.get',
  changeQuestion: 'questions.update',
  deleteQuestion: 'questions.delete',

  listCheckInPoints: 'checkInPoints.list',
  createCheckInPoint: 'checkInPoints.create',
  getCheckInPoint: 'checkInPoints.get',
  changeCheckInPoint: 'checkInPoints.update',
  deleteCheckInPoint: 'checkInPoints.delete',

  listRegistrations: 'registrations.list',
  createRegistration: 'registrations.create',
  getRegistration: 'registrations.get',
  changeRegistration: 'registrations.update',
  approveRegistration: 'registrations.approve',
  declineRegistration: 'registrations.decline',
  promoteRegistration: 'registrations.promote',
  cancelRegistration: 'registrations.cancel',
  addAttendee: 'registrations.addAttendee',

  listAttendees: 'attendees.list',
  getAttendee: 'attendees.get',
  changeAttendee: 'attendees.update',
  cancelAttendee: 'attendees.cancel',
  listAttendeeMessages: 'attendees.listMessages',

  listContacts: 'contacts.list',
  getContact: 'contacts.get',
  changeContact: 'contacts.update',
  eraseContact: 'contacts.erase',

  listTickets: 'tickets.list',
  issueTicket: 'tickets.issue',
  getTicket: 'tickets.get',
  getTicketPdf: 'tickets.pdf',
  reissueTicket: 'tickets.reissue',
  sendTicket: 'tickets.send',
  voidTicket: 'tickets.void',

  listPayments: 'payments.list',
  listEventPayments: 'payments.listOfEvent',
  recordPayment: 'payments.record',
  startCheckout: 'payments.startCheckout',
  getPayment: 'payments.get',
  refundPayment: 'payments.refund',

  scanTicket: 'scanning.scan',
  scanBatch: 'scanning.scanBatch',
  getManifest: 'scanning.manifest',
  getRosterChanges: 'scanning.roster',

  listCheckIns: 'checkIns.list',
  countCheckIns: 'checkIns.counts',
  listDisagreements: 'checkIns.listDisagreements',
  clearTestCheckIns: 'checkIns.clearTest',
  overrideCheckIn: 'checkIns.override',
  undoCheckIn: 'checkIns.undo',

  listHandOuts: 'handOuts.list',
  handOut: 'handOuts.create',
  undoHandOut: 'handOuts.undo',

  pairDevice: 'devices.pair',
  sendHeartbeat: 'devices.sendHeartbeat',
  listUnlockable: 'devices.listMembers',
  unlockDevice: 'devices.unlock',

  reportAttendance: 'reports.attendance',
  reportMoney: 'reports.money',
  reportRefusals: 'reports.refusals',
  reportRegistrations: 'reports.registrations',
  reportSales: 'reports.sales',

  listCommunications: 'communications.list',
  createCommunication: 'communications.create',
  getCommunication: 'communications.get',
  changeCommunication: 'communications.update',
  deleteCommunication: 'communications.delete',
  previewCommunication: 'communications.preview',
  testCommunication: 'communications.test',
  sendCommunication: 'communications.send',
  cancelCommunication: 'communications.cancel',
  listCommunicationRecipients: 'communications.listRecipients',

  startBulkAction: 'bulkActions.start',
  importPeople: 'imports.create',
  createExport: 'exports.create',
  getEventTemplate: 'eventTemplates.get',
  importEventTemplate: 'eventTemplates.import',

  listJobs: 'jobs.list',
  getJob: 'jobs.get',
  cancelJob: 'jobs.cancel',

  listWebhooks: 'webhooks.list',
  createWebhook: 'webhooks.create',
  getWebhook: 'webhooks.get',
  changeWebhook: 'webhooks.update',
  deleteWebhook: 'webhooks.delete',
  enableWebhook: 'webhooks.enable',
  pauseWebhook: 'webhooks.pause',
  rotateWebhookSecret: 'webhooks.rotateSecret',
  testWebhook: 'webhooks.test',
  replayWebhook: 'webhooks.replay',
  listWebhookDeliveries: 'webhooks.listDeliveries',
  getWebhookDelivery: 'webhooks.getDelivery',
  replayWebhookDelivery: 'webhooks.replayDelivery',
  listWebhookEventTypes: 'webhooks.listEventTypes',

  listAuditLog: 'auditLog.list',

  listPublicEvents: 'publicEvents.list',
  getPublicEvent: 'publicEvents.get',
};

/** The name of an operation in the client libraries. */
export function clientName(operationId: string): string {
  const name = CLIENT_NAMES[operationId];
  if (name === undefined) throw new Error(`${operationId}: give it a name in openapi/client-names.ts`);
  return name;
}
