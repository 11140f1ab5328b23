import { layerSandboxLender, sandboxCpf } from "@lastro/domain/adapters"
import { ExitRefused, Lender, LenderUnavailable } from "@lastro/domain/lender"
import { type LenderFixtures, lenderSuite, type Runner, sandboxLenderFixtures } from "@lastro/testkit/suites"
import { Context, Effect, Layer } from "effect"
import { options } from "./Fault.ts"

/** A lender. */
export type Lenders = Context.Service.Shape<typeof Lender>

/** The switches of the lender with every outcome. */
class Switch extends Context.Service<Switch, {
  /** The kind of the next answer. */
  next: "usual" | "failed" | "refused"
  readonly barred: Set<string>
}>()("test/suites/Switch") {}

const set = (next: "failed" | "refused") => Effect.map(Switch, (one) => void (one.next = next))

const failed = new LenderUnavailable({ reason: "ASKED", detail: "status 500" })

/**
 * The sandbox, which in addition can fail, can refuse a destination or an exit, and finds contracts and cancellations by
 * their proposals.
 */
const soundLender = Effect.gen(function*() {
  const sandbox = yield* Lender
  const one = yield* Switch
  const references = new Map<string, string>()
  const take = () => {
    const { next } = one
    one.next = "usual"
    return next
  }
  const once = <A, E, B = never, F = never>(
    call: Effect.Effect<A, E>,
    refused: Effect.Effect<B, F> = Effect.die("refused") as never
  ) =>
    Effect.suspend((): Effect.Effect<A | B, E | F | LenderUnavailable> => {
      const next = take()
      return next === "failed" ? Effect.fail(failed) : next === "refused" ? refused : call
    })
  const refusedExit = Effect.fail(new ExitRefused({ detail: "status 422" }))
  return Lender.of({
    ...sandbox,
    quote: (request) => once(sandbox.quote(request)),
    submit: (submission) =>
      once(Effect.suspend(() =>
        one.barred.has(submission.proposal_id) ? Effect.fail(failed) : Effect.tap(
          sandbox.submit(submission),
          ({ reference }) => Effect.sync(() => references.set(submission.proposal_id, reference))
        )
      )),
    contract: (reference) => once(sandbox.contract(reference)),
    resubmit: (payment) => {
      const { disbursement_attempt, reference } = payment
      const refused = {
        reference,
        status: "DISBURSEMENT_FAILED",
        signature_url: null,
        rejection: null,
        disbursement_attempt
      } as const
      return once(sandbox.resubmit(payment), Effect.succeed(refused))
    },
    cancel: (request) =>
      once(
        Effect.suspend(() => {
          const reference = request.reference ?? references.get(request.proposal_id) ?? null
          if (reference === null) one.barred.add(request.proposal_id)
          return sandbox.cancel({ ...request, reference })
        }),
        refusedExit
      ),
    refund: (request) => once(sandbox.refund(request), refusedExit),
    signatureLink: (reference) => once(sandbox.signatureLink(reference), refusedExit)
  })
})

const ending = (digits: string) => ({ customer: { cpf: sandboxCpf(digits) } })

const outcomes: LenderFixtures<Switch> = {
  ...sandboxLenderFixtures,
  failing: { ...ending("00"), failures: [{ name: "status 500", inject: set("failed") }] },
  destination_refused: { ...ending("88"), refuse: set("refused") },
  cancelled_by_proposal: ending("00"),
  cancelled_before_submission: ending("00"),
  exit_refused: { ...ending("00"), exits: ["cancel", "refund", "signature_link"], refuse: set("refused") }
}

/** Registers the suite of a lender with every outcome. */
export const suiteOfLender = (override: (sound: Lenders) => Partial<Lenders>) => (runner: Runner): void =>
  lenderSuite(
    "lender",
    Layer.effect(Lender, Effect.map(soundLender, (sound) => ({ ...sound, ...override(sound) }))).pipe(
      Layer.provide(layerSandboxLender()),
      Layer.provideMerge(Layer.sync(Switch, () => Switch.of({ next: "usual", barred: new Set() })))
    ),
    runner,
    { ...options, outcomes }
  )
