export { defaultEventRetentionMs, deleteOldEvents } from "./deleteOldEvents.ts"
export {
  deliverBatch,
  type Delivery,
  type DeliveryStep,
  EventDelivery,
  redeliveryDelayMs,
  type StartDelivery
} from "./Delivery.ts"
export {
  type ActorKind,
  DomainEvent,
  type EventData,
  EventFeed,
  EventType,
  eventTypes,
  type EventValue,
  type NewEvent,
  SubjectKind
} from "./DomainEvent.ts"
export { eventDataSchemas } from "./eventData.ts"
export { type EventEntry, EventLog, type EventQuery, EventsExpired, type EventSlice } from "./EventLog.ts"
export { type EventSelection, type EventSource, eventStream } from "./EventSource.ts"
export { type FeedRead, parseEventTypes } from "./ListEvents.ts"
export { type Actor } from "./recordChange.ts"
export { type CursorMove, type SubscriptionKey, SubscriptionLost, SubscriptionStore } from "./SubscriptionStore.ts"
