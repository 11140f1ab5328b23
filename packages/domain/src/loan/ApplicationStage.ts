import { type Timestamp } from "../values/Timestamp.ts"
import { type Application, latestQuote } from "./Application.ts"
import { type ApplicationStatus, applicationStatus } from "./ApplicationStatus.ts"

/** The part of a status that does not depend on the clock. The stage `QUOTED` includes applications whose status is `EXPIRED`. */
export type ApplicationStage = Exclude<ApplicationStatus, "EXPIRED">

/** The two values that are stored so that a database index can find applications by their status at any time. */
export interface ApplicationPlacement {
  readonly stage: ApplicationStage
  /**
   * The time at which the last offer expires. Null if the stage is not QUOTED, or if all offers had expired at the last
   * event.
   */
  readonly live_until: Timestamp | null
}

/** Returns the two values by which a database index finds an application. They change only when an event is recorded. */
export const placementOf = (application: Application): ApplicationPlacement => {
  const status = applicationStatus(application, application.updated_at)
  if (status === "EXPIRED") return { stage: "QUOTED", live_until: null }
  if (status !== "QUOTED") return { stage: status, live_until: null }
  const ends = latestQuote(application).offers.map(({ expires_at }) => expires_at)
  return { stage: status, live_until: ends.reduce((last, end) => end > last ? end : last) }
}

/**
 * The status of an application at any time is derived from its stored `stage` and `live_until` and the clock. It is the
 * stage, except that QUOTED becomes EXPIRED when the last offer expires. A list filters by this status.
 * @rule FGTS-50
 */
export const statusOfPlacement = ({ live_until, stage }: ApplicationPlacement, at: Timestamp): ApplicationStatus =>
  stage === "QUOTED" && (live_until === null || live_until <= at) ? "EXPIRED" : stage
