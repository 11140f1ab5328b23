import { decide, evolve, type LoanCommand, openApplication } from "@lastro/domain/loan"
import { Predicate, Result } from "effect"

/** A decider in the sense of event sourcing: an initial state, `decide` and `evolve`. */
export interface Decider<State, Command, Event, Refusal, Beginning> {
  readonly begin: (beginning: Beginning) => State
  readonly decide: (command: Command, state: State) => Result.Result<ReadonlyArray<Event>, Refusal>
  readonly evolve: (state: State, event: Event) => State
}

/** Asserts the result of a command. */
export interface Expectation<Event, Refusal> {
  /**
   * Asserts that the command returns exactly these events, in this order, or fails with this error. Throws an Error
   * that lists the differences.
   */
  readonly then: (expected: ReadonlyArray<Event> | Refusal) => void
  /** Asserts that the command succeeds without events. */
  readonly thenNothing: () => void
}

const format = (value: unknown): string => value === undefined ? "nothing" : JSON.stringify(value)

/**
 * Lists the differences between two JSON values by path: `[0].offers[1].expires_at: expected …, actual …`. Empty if
 * they are equal.
 */
const findDifferences = (expected: unknown, actual: unknown, path = ""): ReadonlyArray<string> => {
  if (Object.is(expected, actual)) return []
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const length = Math.max(expected.length, actual.length)
    return Array.from({ length }, (_, index) => findDifferences(expected[index], actual[index], `${path}[${index}]`))
      .flat()
  }
  if (Predicate.isObject(expected) && Predicate.isObject(actual)) {
    return [...new Set([...Object.keys(expected), ...Object.keys(actual)])].flatMap((name) =>
      findDifferences(Reflect.get(expected, name), Reflect.get(actual, name), path === "" ? name : `${path}.${name}`)
    )
  }
  return [`${path === "" ? "value" : path}: expected ${format(expected)}, actual ${format(actual)}`]
}

/** Copies the fields of an error, without its stack. */
const fieldsOf = (refusal: unknown): object => ({ ...Object(refusal) })

const isEvents = <Event, Refusal>(expected: ReadonlyArray<Event> | Refusal): expected is ReadonlyArray<Event> =>
  Array.isArray(expected)

const makeExpectation = <Event, Refusal extends object>(
  decided: Result.Result<ReadonlyArray<Event>, Refusal>
): Expectation<Event, Refusal> => {
  const actual = Result.isSuccess(decided) ? { events: decided.success } : { refusal: fieldsOf(decided.failure) }
  const expect = (expected: ReadonlyArray<Event> | Refusal): void => {
    const wanted = isEvents(expected) ? { events: expected } : { refusal: fieldsOf(expected) }
    const differences = findDifferences(wanted, actual)
    if (differences.length === 0) return
    throw new Error([...differences, "", `actual outcome: ${JSON.stringify(actual, undefined, 2)}`].join("\n"))
  }
  // An expectation is never awaited, so a `then` method is safe.
  // oxlint-disable-next-line unicorn/no-thenable
  return { then: expect, thenNothing: () => expect([]) }
}

/**
 * Specifies a decider by examples: `given(beginning, ...events).when(command).then(events or error)`. Works with any
 * test runner.
 */
export const specification = <State, Command, Event, Refusal extends object, Beginning>(
  { begin, decide, evolve }: Decider<State, Command, Event, Refusal, Beginning>
) =>
(beginning: Beginning, ...events: ReadonlyArray<Event>) => ({
  when: (command: Command): Expectation<Event, Refusal> =>
    makeExpectation(decide(command, events.reduce(evolve, begin(beginning))))
})

/** Specifies the state machine of applications: `given(opening, quoteCompleted).when(command).then([event])`. */
export const given = specification({
  begin: openApplication,
  decide: (command: LoanCommand, application) => decide(command, application),
  evolve
})
