import { sandboxCpf } from "@lastro/domain/adapters"
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { randomInt, randomUUID } from "node:crypto"
import { json, printRecord } from "./records.ts"
import { type CommandRefused, refuse } from "./refused.ts"
import { expectSuccess, fieldOf, openRemoteServer, remoteFlags, type RemoteServer, sendJson } from "./RemoteServer.ts"

/** The steps of a loan that lead to an event. */
interface Scenario {
  /** The last digits of the customer's CPF, which select the outcome of the sandbox lender. */
  readonly digits: string
  /** The status of the application at which the loan stops. Absent: the customer accepts an offer. */
  readonly quote?: "QUOTED" | "REJECTED" | "QUOTE_FAILED"
  /** The next step: `CANCEL` after the quote, `WITHDRAW` after the payment, or `CALL_BACK` until the final status. */
  readonly next?: "CANCEL" | "WITHDRAW" | "CALL_BACK"
  /** The final status of the proposal, or of the application if there is no proposal. */
  readonly status: string
}

const scenarios: Readonly<Record<string, Scenario>> = {
  "application.quoted": { digits: "00", quote: "QUOTED", status: "QUOTED" },
  "application.rejected": { digits: "92", quote: "REJECTED", status: "REJECTED" },
  "application.quote_failed": { digits: "96", quote: "QUOTE_FAILED", status: "QUOTE_FAILED" },
  "application.cancelled": { digits: "00", quote: "QUOTED", next: "CANCEL", status: "CANCELLED" },
  "loan.paid": { digits: "00", status: "PAID" },
  "loan.rejected": { digits: "80", status: "REJECTED" },
  "loan.cancelled": { digits: "87", status: "CANCELLED" },
  "loan.correction_needed": { digits: "72", status: "CORRECTION_NEEDED" },
  "loan.disbursement_failed": { digits: "88", status: "DISBURSEMENT_FAILED" },
  "loan.refunded": { digits: "00", next: "WITHDRAW", status: "REFUNDED" },
  "loan.reversed": { digits: "73", next: "CALL_BACK", status: "REFUNDED" },
  "loan.settled": { digits: "69", status: "SETTLED" }
}

/** The data of an invented customer that the sandbox lender requires. */
const kyc = (cpf: string) => ({
  name: "Maria da Conceição",
  cpf,
  birth_date: "1990-05-17",
  gender: "F",
  civil_status: "SINGLE",
  mother_name: "Ana da Conceição",
  nationality: "Brasileira",
  email: "maria@example.com",
  phone: "11987654321",
  is_pep: false,
  document: { type: "RG", number: "123456789", issuer: "SSP", uf: "SP", issued_at: "2010-03-04" },
  address: {
    zipcode: "01310-100",
    uf: "SP",
    city: "São Paulo",
    neighborhood: "Bela Vista",
    street: "Avenida Paulista",
    number: "1578"
  },
  disbursement_method: "PIX",
  pix: { type: "CPF", key: cpf }
})

const callBack = (server: RemoteServer, body: object) =>
  sendJson(`${server.url}/api/v1/lender-callbacks/sandbox`, "sandbox", body)

/**
 * Fails unless the server's lender is the sandbox, because a real lender must not receive the data of invented
 * customers.
 */
const requireSandbox = Effect.fnUntraced(function*(server: RemoteServer) {
  // A callback about an unknown quote changes nothing. The server answers 404 if its lender is not the sandbox.
  const { status } = yield* callBack(server, { quote_id: randomUUID() })
  if (status === 204) return
  return yield* refuse(
    status === 404
      ? `The lender of ${server.url} is not the sandbox, and only the sandbox can trigger events.`
      : `${server.url} answered a callback with status ${status} instead of 204. Check --server.`
  )
})

/** Maximum wait for a status of the loan. */
const maxWait = "90 seconds"

/** Makes a loan over the API. Returns the ids of its application and proposal. */
const makeLoan = Effect.fnUntraced(function*(server: RemoteServer, { digits, next, quote, status }: Scenario) {
  const call = (what: string, path: string, json?: unknown) =>
    Effect.flatMap(server.call(`/api/v1${path}`, json), (reply) => expectSuccess(reply, what))
  const cpf = sandboxCpf(digits, randomInt(1_000_000))
  const customer = { cpf, birth_date: "1990-05-17", name: "Maria da Conceição" }
  const opened = yield* call("The application", "/fgts/applications", {
    external_id: `trigger-${randomUUID()}`,
    customer
  })
  const application_id = String(fieldOf(opened, "application_id"))
  const path = `/fgts/applications/${application_id}`

  /** Polls until a field of a record has a value. Runs `meanwhile` before each poll. */
  const pollUntil = Effect.fnUntraced(function*(
    path: string,
    field: ReadonlyArray<string>,
    value: string,
    meanwhile: Effect.Effect<unknown, CommandRefused> = Effect.void
  ) {
    while (true) {
      yield* meanwhile
      const reply = yield* call("The loan", path)
      if (fieldOf(reply, ...field) === value) return
      yield* Effect.sleep("200 millis")
    }
  })

  yield* pollUntil(path, ["status"], quote ?? "QUOTED")
  if (quote !== undefined) {
    if (next === "CANCEL") yield* call("The cancellation", `${path}/cancel`, { reason: "CUSTOMER_REQUEST" })
    return { application_id, proposal_id: null, status }
  }
  const quoted = yield* call("The application", path)
  const offer = String(fieldOf(quoted, "quote", "offers", 0, "offer_id"))
  yield* call("The KYC", `${path}/kyc`, kyc(cpf))
  const accepted = yield* call("The acceptance", `${path}/offers/${offer}/accept`, { terms_accepted: true })
  const id = String(fieldOf(accepted, "proposal_id"))
  const proposal = `/proposals/${id}`
  if (next === "WITHDRAW") {
    yield* pollUntil(proposal, ["data", "status"], "PAID")
    yield* call("The withdrawal", `${proposal}/withdrawal`, { reason: "CUSTOMER_REQUEST" })
  }
  // After a callback, Lastro reads the state of the contract at once instead of at the next poll.
  const meanwhile = next === "CALL_BACK" ? callBack(server, { proposal_id: id }) : Effect.void
  yield* pollUntil(proposal, ["data", "status"], status, meanwhile)
  return { application_id, proposal_id: id, status }
})

const name = Argument.String("event").pipe(Argument.withDescription("Name of the event"), Argument.optional)

/** Makes a loan that ends with an event, on a server with the sandbox lender. */
export const trigger = Command.make(
  "trigger",
  { name, json, ...remoteFlags },
  ({ json, name, ...remote }) =>
    Effect.gen(function*() {
      const names = Object.keys(scenarios)
      if (Option.isNone(name)) return yield* printRecord(json, names, names.join("\n"))
      const scenario = scenarios[name.value]
      if (scenario === undefined) {
        return yield* refuse(`There is no event ${name.value} to trigger. Run lastro trigger for the list.`)
      }
      const server = yield* openRemoteServer(remote)
      yield* requireSandbox(server)
      const loan = yield* makeLoan(server, scenario).pipe(Effect.timeoutOrElse({
        duration: maxWait,
        orElse: () => refuse(`The loan was not ${scenario.status} within ${maxWait}.`)
      }))
      const { proposal_id, status } = loan
      const lines = [
        `application  ${loan.application_id}`,
        ...(proposal_id === null ? [] : [`proposal     ${proposal_id}`]),
        `status       ${status}`
      ]
      yield* printRecord(json, loan, lines.join("\n"))
    })
).pipe(
  Command.withDescription(
    "Make a loan of a made-up customer that ends with an event, on a running server whose lender is the sandbox. Without a name, " +
      "list the events."
  ),
  Command.withShortDescription("Make a loan that ends with an event"),
  Command.withExamples([
    { command: "lastro trigger", description: "List the events" },
    { command: "lastro trigger loan.paid", description: "Make a loan that is paid" }
  ])
)
