export { type AttendeeTypeRow, attendeeTypes, createAttendeeType } from './attendee-types.ts';
export { type CheckInPointRow, checkInPoints, createCheckInPoint } from './check-in-points.ts';
export { closesAt, createDay, type DayRow, days, opensAt } from './days.ts';
export { createEvent, deletePeople, moveEvent } from './events.ts';
export { operations } from './operations.ts';
export { type EventRow, eventById, eventIdOf, eventShape, findEvent, ofTestEvent, touchWorld } from './queries.ts';
export { createQuestion, type QuestionRow, questions } from './questions.ts';
export { anEvent, isTest, openEvent, ownEvent } from './references.ts';
export { deleteScans, placeOf, readAnswers } from './scan-answers.ts';
