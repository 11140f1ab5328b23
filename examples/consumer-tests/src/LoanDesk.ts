import { type Caller } from "@lastro/domain"
import { type Lastro } from "@lastro/domain/promises"
import { letter } from "./letter.ts"
import { persistently } from "./persistently.ts"

/** A client who asks for a loan at the desk. */
export interface Client {
  readonly name: string
  readonly cpf: string
  readonly born: string
}

/** What the desk tells a client, and the number of the file it opened. */
export interface Told {
  readonly file: string
  readonly letter: string
}

/** What the desk cannot do, in its own words. */
export class DeskRefusal extends Error {
  readonly reason: string
  constructor(reason: string) {
    super(`the desk refuses: ${reason}`)
    this.reason = reason
  }
}

/** A loan desk of ours, over the use cases of Lastro: what is tested here. */
export class LoanDesk {
  readonly #lastro: Lastro
  readonly #clerk: Caller

  constructor(lastro: Lastro, clerk: Caller) {
    this.#lastro = lastro
    this.#clerk = clerk
  }

  /** Opens a file for a client, once for each number of ours, however often it has to be tried. */
  async open(number: string, client: Client): Promise<string> {
    const customer = { cpf: client.cpf, birth_date: client.born, name: client.name }
    const opened = await persistently(() =>
      this.#lastro.createApplication(this.#clerk, { external_id: number, customer }, { idempotency_key: number })
    )
    if (opened._tag === "Success") return opened.success.application_id
    switch (opened.failure._tag) {
      case "ValidationFailed":
        throw new DeskRefusal(opened.failure.problems.map(({ code, field }) => `${field} ${code}`).join(", "))
      case "PermissionDenied":
        throw new DeskRefusal("this clerk opens no files")
      default:
        throw new DeskRefusal(opened.failure._tag)
    }
  }

  /** Tells a client how the file stands; a quote that has expired is asked for again. */
  async tell(file: string): Promise<Told> {
    const found = await this.#lastro.getApplication(this.#clerk, file)
    if (found._tag === "Failure") throw new DeskRefusal(found.failure._tag)
    if (found.success.status === "EXPIRED") await this.#lastro.requoteApplication(this.#clerk, file)
    return { file, letter: letter(found.success) }
  }
}
