import { type Caller } from "@lastro/domain/access"
import { type Lastro } from "@lastro/domain/promises"
import { letter } from "./letter.ts"

/** A client who wants a loan. */
export interface Client {
  readonly name: string
  readonly cpf: string
  readonly born: string
}

/** A letter to a client, and the id of the client's application. */
export interface Reply {
  readonly id: string
  readonly letter: string
}

/** The desk rejects a request for this reason. */
export class DeskRefusal extends Error {
  readonly reason: string
  constructor(reason: string) {
    super(`The desk refuses: ${reason}`)
    this.reason = reason
  }
}

/** Calls a function, and calls it once more if it fails. Use it only for idempotent calls. */
const retryOnce = async <A>(attempt: () => Promise<A>): Promise<A> => {
  try {
    return await attempt()
  } catch {
    return attempt()
  }
}

/** A loan desk over the use cases of Lastro. */
export class LoanDesk {
  readonly #lastro: Lastro
  readonly #clerk: Caller

  constructor(lastro: Lastro, clerk: Caller) {
    this.#lastro = lastro
    this.#clerk = clerk
  }

  /** Opens an application for a client. Repeated calls with the same number open only one. */
  async open(number: string, client: Client): Promise<string> {
    const customer = { cpf: client.cpf, birth_date: client.born, name: client.name }
    const opened = await retryOnce(() =>
      this.#lastro.createApplication(this.#clerk, { external_id: number, customer }, { idempotency_key: number })
    )
    if (opened._tag === "Success") return opened.success.application_id
    switch (opened.failure._tag) {
      case "ValidationFailed":
        throw new DeskRefusal(opened.failure.problems.map(({ code, field }) => `${field} ${code}`).join(", "))
      case "PermissionDenied":
        throw new DeskRefusal("this clerk may not open applications")
      default:
        throw new DeskRefusal(opened.failure._tag)
    }
  }

  /** Writes a letter about the status of an application. Requests a new quote if the offers have expired. */
  async reply(id: string): Promise<Reply> {
    const application = await this.#lastro.getApplication(this.#clerk, id)
    if (application._tag === "Failure") throw new DeskRefusal(application.failure._tag)
    if (application.success.status === "EXPIRED") await this.#lastro.requoteApplication(this.#clerk, id)
    return { id, letter: letter(application.success) }
  }
}
