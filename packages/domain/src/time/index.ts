export { businessDayFrom } from "./businessDay.ts"
export {
  addDays,
  CalendarDate,
  calendarDate,
  daysBetween,
  parseCalendarDate,
  saoPauloDate,
  saoPauloMidnight
} from "./CalendarDate.ts"
export { type ClockReading, clockSkewMs, isClockRight, maxClockSkewMs } from "./clockSkew.ts"
export { endWithin } from "./endWithin.ts"
export { monotonicMillis } from "./monotonicMillis.ts"
export { parseTimestamp, timestamp } from "./parseTimestamp.ts"
export { currentTimestamp, millisOf, Timestamp, timestampOf } from "./Timestamp.ts"
