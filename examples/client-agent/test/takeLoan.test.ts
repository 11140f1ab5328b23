import { LastroClient } from "@lastro/client"
import { sandboxCpf, sandboxScenarios } from "@lastro/domain/adapters"
import assert from "node:assert/strict"
import { after, before, test } from "node:test"
import { setTimeout } from "node:timers/promises"
import { startServer } from "../server.ts"
import { type Customer, takeLoan } from "../src/takeLoan.ts"

let server: Awaited<ReturnType<typeof startServer>>
before(async () => {
  server = await startServer()
})
after(() => server.close())

const address = {
  zipcode: "01310-100",
  uf: "SP",
  city: "São Paulo",
  neighborhood: "Bela Vista",
  street: "Avenida Paulista",
  number: "1000"
}

/** Returns the customer with this CPF. */
const customerOf = (cpf: string): Customer => ({
  cpf,
  birth_date: "1990-05-17",
  kyc: {
    cpf,
    birth_date: "1990-05-17",
    name: "Maria da Conceição",
    gender: "F",
    civil_status: "SINGLE",
    mother_name: "Ana da Conceição",
    nationality: "Brasileira",
    email: "maria@example.com",
    phone: "11987654321",
    is_pep: false,
    document: { type: "RG", number: "123456789", issuer: "SSP", uf: "SP", issued_at: "2010-03-04" },
    address,
    disbursement_method: "PIX",
    pix: { type: "CPF", key: cpf }
  },
  correction: { address: { ...address, number: "S/N" } },
  otherAccount: { pix: { type: "EMAIL", key: "maria@example.com" } }
})

/**
 * The possible last statuses for each ending of the CPF. All other endings are paid. Three endings depend on the speed
 * of the machine. With 73, the lender reverses the payment one step later, which the agent may not see. With 85, the
 * offers expire after two seconds, and the agent may accept in time. With 93, a new quote is possible after three
 * seconds, but only at midnight if the answer of the lender is recorded later than that.
 */
const endings: Readonly<Record<string, ReadonlyArray<string>>> = {
  "73": ["CONTRACTED NONE", "CANCELLED NONE"],
  "80": ["CANCELLED NONE"],
  "81": ["REJECTED NONE"],
  "82": ["REJECTED RETRY_LATER"],
  "83": ["REJECTED NONE"],
  "84": ["REJECTED NONE"],
  "85": ["CONTRACTED NONE", "EXPIRED REQUOTE"],
  "86": ["CANCELLED NONE"],
  "87": ["CANCELLED NONE"],
  "89": ["REJECTED RETRY_LATER"],
  "92": ["REJECTED REQUOTE"],
  "93": ["CONTRACTED NONE", "REJECTED RETRY_LATER"],
  "94": ["REJECTED REQUOTE"],
  "96": ["QUOTE_FAILED REQUOTE"]
}

/** Makes a client that counts the calls of its methods, and its requests. */
const countingClient = () => {
  const count = { calls: 0, requests: 0 }
  const { clientId, clientSecret, url } = server
  const client = new LastroClient({
    url,
    clientId,
    clientSecret,
    fetch: (target, init) => {
      count.requests++
      return fetch(target, init)
    }
  })
  const counting = new Proxy(client, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== "function") return member
      return (...args: ReadonlyArray<unknown>) => {
        count.calls++
        // If methods of the client call each other, count one call.
        return member.apply(client, args)
      }
    }
  })
  return { client: counting, count }
}

/** Sends callbacks for the quote of the ending 77, as the lender does, until the quote has an answer. */
const callBack = async () => {
  const { client } = countingClient()
  for await (const { data, type } of client.followEvents({ types: "application.created" })) {
    if (type !== "application.created") continue
    const { application_id, external_id, quote } = await client.getApplication(data.application_id)
    if (external_id !== "loan-77") continue
    const body = JSON.stringify({ quote_id: quote.quote_id })
    const headers = { authorization: "Bearer sandbox" }
    while ((await client.getApplicationStatus(application_id)).status === "QUOTING") {
      await fetch(`${server.url}/api/v1/lender-callbacks/sandbox`, { method: "POST", headers, body })
      await setTimeout(300)
    }
    return
  }
}

test("the agent takes a loan with every outcome of the sandbox in at most six calls", async () => {
  const calledBack = callBack()
  const take = async (ending: string) => {
    const { client, count } = countingClient()
    const last = await takeLoan(client, `loan-${ending}`, customerOf(sandboxCpf(ending)))
    return { ending, outcome: `${last.status} ${last.next_action}`, ...count }
  }
  // The quotes of 96 wait for their deadline, so it comes first.
  const waiting = [...new Set(["96", "00", ...sandboxScenarios.keys()])]
  const outcomes: Array<Awaited<ReturnType<typeof take>>> = []
  const takeAll = async (): Promise<void> => {
    const ending = waiting.shift()
    if (ending === undefined) return
    outcomes.push(await take(ending))
    return takeAll()
  }
  await Promise.all(Array.from({ length: 8 }, takeAll))
  await calledBack
  assert.equal(outcomes.length, sandboxScenarios.size + 1)
  for (const { calls, ending, outcome, requests } of outcomes) {
    console.log(`${ending}: ${outcome}, ${calls} calls, ${requests} requests`)
    // The offers of 85 expire after two seconds. On a slow machine, the agent requests new ones.
    assert(calls <= 6 || ending === "85", `${ending}: ${calls} calls`)
    const expected = endings[ending] ?? ["CONTRACTED NONE"]
    assert(expected.includes(outcome), `${ending}: ${outcome}`)
  }
})
