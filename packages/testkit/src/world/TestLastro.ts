import { type Caller } from "@lastro/domain"
import { type Lastro } from "@lastro/domain/promises"
import { type Duration } from "effect"
import { type Faults } from "../faults/Faults.ts"
import { type Builder } from "../given/Builder.ts"
import { type MemoryState } from "../memory/MemoryState.ts"
import { type Somebody } from "./callers.ts"
import { type WorldServices } from "./layerWorld.ts"
import { type TestLender } from "./TestLender.ts"

/** A clock that stands still until a test sets it. */
export interface TestWorldClock {
  /** The present instant, ISO 8601. */
  readonly now: () => string
  /** Goes to an instant, ISO 8601; what waits until then goes on when its time comes. Rejects with a RangeError where it is past. */
  readonly set: (instant: string) => Promise<void>
  /** Goes on by a duration: `"2 hours"`, or milliseconds. Rejects with a RangeError where it is negative or has no end. */
  readonly advance: (by: Duration.Input) => Promise<void>
}

/**
 * Lastro over ports in memory, all of it in a test's hand: the clock stands still, ids are counted up, and what was promised is done
 * when the test says so. Needs no test runner.
 */
export interface TestWorld extends AsyncDisposable {
  /** Every use case as a function of a promise, over these ports. */
  readonly lastro: Lastro<WorldServices>
  readonly clock: TestWorldClock
  /** Makes ports misbehave, and tells how they were called; what a test arranges by {@link given} is not struck and not told of. */
  readonly faults: Omit<Faults["Service"], "around" | "wraps">
  /** Everything that was committed, as one immutable value. */
  readonly state: () => MemoryState
  /**
   * Stores what a builder describes, and gives the record: a partner, a user, an API client, an application with the work that it
   * waits for; a user, client or application that was told of no partner is of a new one. Of what is stored nowhere by itself (a
   * customer, a KYC) it gives the record alone. The same builder given again is another record, but for a caller's, which is the same
   * caller. Rejects with a `TestMistake` where the partner it belongs to is not stored, or its id, document, or e-mail is taken.
   */
  readonly given: <A>(builder: Builder<A>) => Promise<A>
  /**
   * The caller that somebody is, as they stand now: a user or API client that is stored, or one that is described, which is stored
   * first. The same builder is the same user or client each time, the one that it was stored as first. Rejects with a `TestMistake`,
   * whose cause is the `Unauthenticated`, where that is nobody who may ask now.
   */
  readonly callerFor: (somebody: Somebody) => Promise<Caller>
  /** An access token that speaks for somebody, as {@link callerFor} finds them. */
  readonly tokenFor: (somebody: Somebody) => Promise<string>
  /**
   * Does what happens by itself elsewhere: quotes and contracts that were promised, one after the other, and then a look at every
   * contract that is with the lender. While work waits, for a lender that keeps silent, say, the clock goes on by itself; rejects
   * when a day has passed.
   */
  readonly finishWork: () => Promise<void>
  /**
   * Ends what still waits, and closes the ports. Work that is being finished rejects with `LastroClosed`, as does everything from now
   * on; other calls that are in progress go on where nothing but the clock or a fault keeps them, and are interrupted else.
   */
  readonly close: () => Promise<void>
}

/** A {@link TestWorld} whose lender the test scripts. */
export interface TestLastro extends TestWorld {
  readonly lender: TestLender
}
