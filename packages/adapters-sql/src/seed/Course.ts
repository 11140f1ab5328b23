import {
  type Application,
  type ApplicationCommand,
  type ApplicationOpened,
  decide,
  evolve,
  millisOf,
  opened,
  type Timestamp,
  timestampOf
} from "@lastro/domain"
import { Result } from "effect"

/** An application in the course of time: what happens to it is what the domain decides. */
export class Course {
  #application: Application
  #kycAt: Timestamp | null = null
  #millis: number

  constructor(opening: ApplicationOpened) {
    this.#application = opened(opening)
    this.#millis = millisOf(opening.at)
  }

  get application(): Application {
    return this.#application
  }

  /** When what is known of the customer was told last. */
  get kycAt(): Timestamp | null {
    return this.#kycAt
  }

  /** The present. */
  get at(): Timestamp {
    return timestampOf(this.#millis)
  }

  /** Lets time pass. */
  wait(milliseconds: number): void {
    this.#millis += Math.ceil(milliseconds)
  }

  /** Asks something of the application. Throws what it is refused with: a defect. */
  ask(command: ApplicationCommand): void {
    const before = this.#application
    this.#application = Result.getOrThrow(decide(command, before)).reduce(evolve, before)
    if (this.#application.kyc !== before.kyc) this.#kycAt = this.#application.updated_at
  }
}
