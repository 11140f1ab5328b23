import { assert } from "@effect/vitest"
import { sandboxCpf } from "@lastro/domain/adapters"
import { type Cpf } from "@lastro/domain/values"
import { Effect } from "effect"
import { ask, at, type Reply, type Sent } from "./asking.ts"
import { type Desk, idOf, isSettled, kycOf, patientClient } from "./desk.ts"
import { type RunningServer } from "./serving.ts"

/** An application and its proposal. */
interface Contracting {
  readonly id: string
  readonly proposal: string
}

/** Brings applications of the sandbox lender into a state. Each application has a CPF of its own. */
export interface SandboxDesk extends Desk {
  /** Opens an application of a customer whose CPF has this ending, and returns its id. */
  readonly opened: (digits: string) => Effect.Effect<string>
  /** Opens an application, waits for its offers, and submits the KYC. Returns its id and its best offer. */
  readonly quoted: (digits: string) => Effect.Effect<{ readonly id: string; readonly offer: string }>
  /** Accepts the best offer of a new application. */
  readonly contracting: (digits: string) => Effect.Effect<Contracting>
  /**
   * Accepts the best offer of a new application, and waits until the proposal has one of these statuses. On a busy
   * machine, the lender may pay the contract before a status is seen. Then tries the next customer.
   */
  readonly contractingIn: (
    digits: string,
    ...statuses: ReadonlyArray<string>
  ) => Effect.Effect<Contracting & { readonly before: Reply }>
  /** Waits until the proposal has one of these statuses. */
  readonly reaches: (proposal: string, ...statuses: ReadonlyArray<string>) => Effect.Effect<Reply>
  /** Sends a callback of the lender. */
  readonly callBack: (about: object, sent?: Sent) => Effect.Effect<Reply>
}

/** The status of an application. */
export const statusOf = (reply: Reply): string => String(at(reply, "status"))

/** The statuses of a proposal, oldest first. */
export const historyOf = (proposal: Reply): ReadonlyArray<string> => stepsOf(proposal).map(({ status }) => status)

/** The reason of the last status of a proposal; null without one. */
export const lastReasonOf = (proposal: Reply): string | null => stepsOf(proposal).at(-1)?.reason ?? null

const stepsOf = (proposal: Reply) =>
  at(proposal, "data", "status_history") as ReadonlyArray<{ readonly status: string; readonly reason: string | null }>

/** The status and the error code of a response. */
export const refusalOf = (reply: Reply): ReadonlyArray<unknown> => [reply.status, at(reply, "error", "code")]

/** Waits until a proposal has one of these statuses. */
export const reachesOf = (desk: Desk) =>
  Effect.fnUntraced(function*(proposal: string, ...statuses: ReadonlyArray<string>) {
    let reply = yield* desk.proposal(proposal)
    while (!statuses.includes(String(at(reply, "data", "status")))) {
      yield* Effect.sleep("300 millis")
      reply = yield* desk.proposal(proposal)
    }
    return reply
  })

/** Makes a desk of a server whose lender is the sandbox. */
export const sandboxDesk = (server: Pick<RunningServer, "url">, token: string): SandboxDesk => {
  const desk = patientClient(server, token)
  const numbers = new Map<string, number>()
  const opened = Effect.fnUntraced(function*(digits: string) {
    const number = numbers.get(digits) ?? 0
    numbers.set(digits, number + 1)
    const reply = yield* desk.open(sandboxCpf(digits, number), `sandbox-${digits}-${number}`)
    assert.strictEqual(reply.status, 201, reply.text)
    return idOf(reply)
  })
  const quoted = Effect.fnUntraced(function*(digits: string) {
    const id = yield* opened(digits)
    yield* desk.until(id, isSettled)
    const application = yield* desk.read(id)
    assert.strictEqual(statusOf(application), "QUOTED", application.text)
    const kyc = yield* desk.submitKyc(id, kycOf(at(application, "customer", "cpf") as Cpf))
    assert.strictEqual(at(kyc, "complete"), true, kyc.text)
    return { id, offer: String(at(application, "quote", "offers", 0, "offer_id")) }
  })
  const contracting = Effect.fnUntraced(function*(digits: string) {
    const { id, offer } = yield* quoted(digits)
    const accepted = yield* desk.accept(id, offer)
    assert.strictEqual(accepted.status, 202, accepted.text)
    return { id, proposal: String(at(accepted, "proposal_id")) }
  })
  const reaches = reachesOf(desk)
  const contractingIn: SandboxDesk["contractingIn"] = (digits, ...statuses) =>
    Effect.gen(function*() {
      const contract = yield* contracting(digits)
      const before = yield* reaches(contract.proposal, ...statuses, "PAID")
      const isMissed = !statuses.includes(String(at(before, "data", "status")))
      return isMissed ? yield* contractingIn(digits, ...statuses) : { ...contract, before }
    })
  return {
    ...desk,
    callBack: (json, sent = {}) => ask(server, "/api/v1/lender-callbacks/sandbox", { json, token: "sandbox", ...sent }),
    opened,
    quoted,
    contracting,
    contractingIn,
    reaches
  }
}
