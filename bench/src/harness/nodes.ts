import { sandboxCpf } from "@lastro/domain/adapters"
import { Effect } from "effect"
import { at, signIn, tokenOf } from "../../../apps/server/test/running/asking.ts"
import { type Desk, idOf, isSettled, kycOf, patientClient } from "../../../apps/server/test/running/desk.ts"
import { type Environment } from "../../../apps/server/test/running/lastro.ts"
import { onPostgres, startServer } from "../../../apps/server/test/running/serving.ts"

/** Starts a node on a database, and signs a client in. Default lender: the sandbox. */
export const startNode = Effect.fnUntraced(function*(database: string, settings: Environment = {}) {
  const running = yield* startServer({ ...onPostgres(database), ...settings })
  const token = tokenOf(yield* signIn(running))
  return { running, token, desk: patientClient(running, token) }
})

let customers = 0

/** Returns the CPF of a new customer, whom every lender of the benchmarks makes offers. */
export const nextCpf = () => sandboxCpf("00", customers++)

/** Opens an application and waits for its offers. Most applications end here. */
export const quote = Effect.fnUntraced(function*(desk: Desk) {
  yield* desk.until(idOf(yield* desk.open(nextCpf())), isSettled)
})

/**
 * Opens an application, waits for its offers, completes the data and accepts the first offer. Returns the ids of the
 * application and of its proposal.
 */
export const acceptOffer = Effect.fnUntraced(function*(desk: Desk) {
  const cpf = nextCpf()
  const id = idOf(yield* desk.open(cpf, `loan-${cpf}`))
  yield* desk.until(id, isSettled)
  yield* desk.submitKyc(id, kycOf(cpf))
  const offer = String(at(yield* desk.read(id), "quote", "offers", 0, "offer_id"))
  const accepted = yield* desk.accept(id, offer)
  const proposal = at(accepted, "proposal_id")
  return typeof proposal === "string" ? { id, proposal } : yield* Effect.die(new Error(accepted.text))
})

/** Sells a loan, and waits for its payment. */
export const sell = Effect.fnUntraced(function*(desk: Desk) {
  const { proposal } = yield* acceptOffer(desk)
  // A real client gets a webhook for the payment. Here, few reads wait for it.
  while (at(yield* desk.proposal(proposal), "data", "status") !== "PAID") yield* Effect.sleep("2 seconds")
})
