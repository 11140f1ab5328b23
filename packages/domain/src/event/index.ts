export {
  type ActorKind,
  DomainEvent,
  type EventData,
  EventFeed,
  EventType,
  eventTypes,
  type EventValue,
  type NewEvent,
  proposalType,
  SubjectKind
} from "./DomainEvent.ts"
export { eventDataSchemas } from "./eventData.ts"
export { type EventEntry, EventLog, type EventQuery, type EventSlice } from "./EventLog.ts"
export { parseEventTypes } from "./ListEvents.ts"
export { type Actor } from "./recordChange.ts"
