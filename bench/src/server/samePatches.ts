import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Ask } from "./Ask.ts"
import { askText, etagOf } from "./sameAnswers.ts"
import { type Bench } from "./setUp.ts"
import { type Served } from "./startServer.ts"

const address = {
  zipcode: "01310-100",
  uf: "SP",
  city: "São Paulo",
  neighborhood: "Bela Vista",
  street: "Avenida Paulista",
  number: "1578"
}

/** The bodies of changes that are sent one after another. Some change nothing, and some are rejected. */
const bodies: ReadonlyArray<object> = [
  { partner: { name: "Crédito Ângela" } },
  { partner: { name: "Crédito Ângela" } },
  { partner: { email: "angela@credito.example", phone: "11987654321" } },
  { address: null },
  { address: { ...address, zipcode: "01310100" } },
  { address: { complement: "Apto 42" } },
  { address: {} },
  { pix: { type: "EMAIL", key: "angela@credito.example" } },
  { pix: null, partner: { name: "Crédito e Soluções" } },
  {
    bank_account: { type: "CC", agency: "0001", bank_code: "341", account_number: "1234567", account_digit: "8" }
  },
  { bank_account: { agency_digit: "X" } },
  {},
  { partner: { name: null } },
  { partner: { type: "pf" } }
]

/**
 * Sends a change to a server. Returns the response, the stored partner and the new audit entries, joined into one text.
 */
const observe = Effect.fn("observe")(function*(served: Served, id: string, ask: Ask) {
  const sql = yield* SqlClient.SqlClient
  const [last] = yield* sql<{ readonly position: bigint | null }>`select max(position) as position from audit`
  const answer = yield* Effect.promise(() => askText(served, ask))
  const rows = yield* sql`select to_jsonb(partner) as row from partner where id = ${id}`
  const entries = yield* sql`
    select to_jsonb(audit) - 'id' - 'position' - 'at' as entry from audit where position > ${
    last?.position ?? 0
  } order by position`
  return { answer, text: JSON.stringify({ answer, rows, entries }), entries: entries.length }
})

/** Sends changes of one partner to both servers. Compares the responses, the stored partner and the audit entries. */
export const samePatches = Effect.fn("samePatches")(function*({ callers, lastro, peer }: Bench) {
  const sql = yield* SqlClient.SqlClient
  const [caller] = callers.slice(1)
  const id = caller?.partners.at(-1) ?? ""
  const path = `/api/v1/partners/${id}`
  const token = caller?.token
  let audited = 0
  const stored = Effect.map(
    sql<{ readonly row: string }>`select to_jsonb(partner)::text as row from partner where id = ${id}`,
    ([one]) => one?.row ?? ""
  )
  const restore = (row: string) =>
    sql`
      update partner set (name, name_folded, email, email_folded, phone, pix, address, bank_account) = (
        select name, name_folded, email, email_folded, phone, pix, address, bank_account
        from jsonb_populate_record(null::partner, ${row}::jsonb)
      ) where id = ${id}`
  const read = Effect.promise(() => askText(lastro, { path, token }))
  const requests = bodies.flatMap((body) => [
    { body, precondition: undefined },
    { body, precondition: "\"outdated\"" },
    { body, precondition: "current" }
  ])
  for (const { body, precondition } of requests) {
    const etag = precondition === "current" ? etagOf(yield* read) ?? "" : precondition
    const ask: Ask = { method: "PATCH", path, token, body, headers: etag === undefined ? {} : { "if-match": etag } }
    const before = yield* stored
    const expected = yield* observe(lastro, id, ask)
    yield* restore(before)
    const found = yield* observe(peer, id, ask)
    if (found.text !== expected.text) {
      return yield* Effect.die(
        new Error(`Changes differ for ${JSON.stringify(body)}:\n${expected.text}\n\n${found.text}`)
      )
    }
    audited += found.entries
  }
  if (audited === 0) return yield* Effect.die(new Error("No change was audited"))
  return requests.length
})
