import { type Lender } from "@lastro/domain/lender"
import { Effect, type Scope } from "effect"
import { type ContractCases, type RegisterCase } from "../suite/ContractSuite.ts"
import { type Impossible, type LenderFixture, type LenderFixtures } from "./LenderFixtures.ts"
import { playLender } from "./playLender.ts"

/** Makes contract cases for Lender from the fixtures of the outcomes that a lender can have. */
export type LenderCases = <R>(fixtures: LenderFixtures<R>) => ContractCases<Lender | R>

/** The requests that a case can make to the lender. */
export type LenderPlay<R> = Effect.Success<ReturnType<typeof playLender<R>>>

/** An outcome of a lender: its name and its fixture, or its declaration as impossible. */
export type Outcome<F> = readonly [name: string, fixture: F | Impossible]

/** Registers a case of an outcome, or its declaration as impossible. */
export const outcome = <R, F extends LenderFixture<R>, A, E, U = never>(
  it: RegisterCase<Lender | R>,
  fixtures: LenderFixtures<R>,
  [name, fixture]: Outcome<F>,
  sentence: string,
  holds: (play: LenderPlay<R>, fixture: F) => Effect.Effect<A, E, Lender | R | Scope.Scope>,
  /** Checks a lender that declares the outcome as impossible. Default: checks nothing. */
  unsupported: (play: LenderPlay<R>) => Effect.Effect<void, U, Lender | R> = () => Effect.void
): void => {
  if ("impossible" in fixture) {
    it(`declared impossible: ${name}: ${fixture.impossible}`, () =>
      Effect.flatMap(playLender(fixtures, fixtures.priced), unsupported))
  } else it(sentence, () => Effect.flatMap(playLender(fixtures, fixture), (play) => holds(play, fixture)))
}
