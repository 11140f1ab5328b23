import { Result } from "effect"
import { differences } from "./differences.ts"

/** What decides about records of one kind, and how what was decided changes them. */
export interface Decider<State, Command, Event, Refusal, Beginning> {
  readonly begin: (beginning: Beginning) => State
  readonly decide: (command: Command, state: State) => Result.Result<ReadonlyArray<Event>, Refusal>
  readonly evolve: (state: State, event: Event) => State
}

/** What a command is expected to bring about. */
export interface Expectation<Event, Refusal> {
  /** Exactly these events, in this order, or this refusal. Throws an Error that tells the differences. */
  readonly then: (expected: ReadonlyArray<Event> | Refusal) => void
  /** Nothing: neither an event nor a refusal. */
  readonly thenNothing: () => void
}

const described = (outcome: unknown): string => JSON.stringify(outcome, undefined, 2)

/** What of a refusal tells it from others: an error's stack does not. */
const factsOf = (refusal: unknown): object => ({ ...Object(refusal) })

const outcomeOf = <Event, Refusal>(decided: Result.Result<ReadonlyArray<Event>, Refusal>) =>
  Result.isSuccess(decided) ? { events: decided.success } : { refusal: factsOf(decided.failure) }

const expectation = <Event, Refusal extends object>(
  decided: Result.Result<ReadonlyArray<Event>, Refusal>
): Expectation<Event, Refusal> => {
  const expect = (expected: ReadonlyArray<Event> | Refusal): void => {
    const wanted = isEvents(expected) ? { events: expected } : { refusal: factsOf(expected) }
    const actual = outcomeOf(decided)
    const found = differences(wanted, actual)
    if (found.length > 0) throw new Error([...found, "", `actual outcome: ${described(actual)}`].join("\n"))
  }
  // Nobody awaits an expectation, for which having a `then` would be a trap.
  // oxlint-disable-next-line unicorn/no-thenable
  return { then: expect, thenNothing: () => expect([]) }
}

const isEvents = <Event, Refusal>(expected: ReadonlyArray<Event> | Refusal): expected is ReadonlyArray<Event> =>
  Array.isArray(expected)

/**
 * Specifies a decider by examples, with any test runner: `given(beginning, ...events).when(command).then(events or refusal)`. A
 * record begins, events happen to it, and a command is decided.
 */
export const specification = <State, Command, Event, Refusal extends object, Beginning>(
  { begin, decide, evolve }: Decider<State, Command, Event, Refusal, Beginning>
) =>
(beginning: Beginning, ...events: ReadonlyArray<Event>) => ({
  when: (command: Command): Expectation<Event, Refusal> =>
    expectation(decide(command, events.reduce(evolve, begin(beginning))))
})
