export {
  addDays,
  CalendarDate,
  calendarDate,
  daysBetween,
  isDay,
  parseCalendarDate,
  saoPauloDate,
  saoPauloMidnight
} from "./CalendarDate.ts"
export { instant, parseInstant } from "./parseTimestamp.ts"
export { millisOf, now, Timestamp, timestampOf } from "./Timestamp.ts"
