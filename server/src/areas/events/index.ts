export { crons, fillBounds, keepFilters, stampAnswers, writeAnswers } from './answer-filters.ts';
export { type AttendeeTypeRow, attendeeTypes, createAttendeeType } from './attendee-types.ts';
export { type CheckInPointRow, checkInPoints, createCheckInPoint } from './check-in-points.ts';
export { createDay, type DayRow, days } from './days.ts';
export { deletePeople } from './delete-event.ts';
export { batchJob } from './discount-batch.ts';
export { type DiscountRow, discountByCode, discountsById } from './discount-rows.ts';
export { createDiscount } from './discounts.ts';
export { createEvent, moveEvent, setImage } from './events.ts';
export { eventOperations } from './operations.ts';
export { createProduct, type ProductOption, type ProductRow, products } from './products.ts';
export {
  type EventRow,
  eventById,
  eventIdOf,
  eventShape,
  eventsByTime,
  eventsNotOver,
  findEvent,
  listedEvents,
  ofTestEvent,
  type TimedEvent,
} from './queries.ts';
export { createQuestion, type QuestionRow, questions } from './questions.ts';
export { QUOTA_TAKEN } from './quota-count.ts';
export { createQuota, type QuotaRow, quotas } from './quotas.ts';
export { anEvent, isTest, openEvent, ownEvent } from './references.ts';
export { closesAt, hasClosed, nextDate, opensAt } from './zone.ts';
