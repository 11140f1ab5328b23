/* oxlint-disable eslint/no-await-in-loop -- a request of a history follows the one before */
/** Sends a request as the observer. */
export type Ask = (path: string, request?: Asked) => Promise<Response>

/** A request in addition to its path. */
export interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly body?: string
}

/** The ids and months that the requests of an observer name. */
export interface Named {
  readonly partners: ReadonlyArray<string>
  readonly contracts: ReadonlyArray<string>
  /** The observer's own partner, and partners outside its subtree. It may not change them. */
  readonly unchangeable: ReadonlyArray<string>
  readonly months: ReadonlyArray<string>
}

const api = "/api/v1"

const csv = { headers: { accept: "text/csv" } }

const brazilianCsv = { headers: { accept: "text/csv", "accept-language": "pt-BR" } }

const lists = ["partners", "users", "fgts/applications", "proposals", "audit", "commissions"]

/** Every list, page, sum and record that a partner can read. */
const readsOf = ({ contracts, months, partners }: Named): ReadonlyArray<string> => [
  ...lists.map((list) => `/${list}?size=100`),
  ...["occurred_at", "amount"].flatMap((field) =>
    ["asc", "desc"].map((direction) => `/commissions?size=3&sort=${field},${direction}`)
  ),
  ...["page=2&size=2", "page=99", "after=start&size=2", "period=2026-13", "sort=share"].map((query) =>
    `/commissions?${query}`
  ),
  ...["OPEN", "CLOSED", "PAID"].map((status) => `/commissions?status=${status}`),
  ...["ACCRUAL", "CLAWBACK", "ADJUSTMENT"].map((kind) => `/commissions?kind=${kind}`),
  ...months.flatMap((month) => [`/commissions?period=${month}`, `/commissions/summary?period=${month}`]),
  ...partners.flatMap((partner) => [
    `/commissions?partner_id=${partner}`,
    `/commissions?partner_id=${partner}&partner_scope=subtree`,
    `/commissions/summary?period=${months.at(-1)}&partner_id=${partner}`,
    `/commissions/payouts?partner_id=${partner}`,
    `/partners/${partner}`,
    `/partners/${partner}/routing`,
    `/partners/${partner}/commission-plans`,
    `/partners/${partner}/commission-plans/current`,
    `/partners/${partner}/commission-plans/current?on=2027-06-01`
  ]),
  ...contracts.flatMap((contract) => [`/commissions?proposal_id=${contract}`, `/proposals/${contract}`]),
  "/commissions/summary",
  "/commissions/payouts",
  "/fgts/applications/summary",
  "/events",
  "/webhooks",
  "/clients",
  "/lenders",
  "/users/me"
]

/** Requests that are refused, with bodies that guess a share or an amount. */
const refusedOf = ({ months, unchangeable }: Named): ReadonlyArray<readonly [string, string, unknown]> => {
  const [period = ""] = months
  const payout = { period, amount: 10, reference: "TED", paid_at: "2026-01-01T00:00:00Z" }
  return unchangeable.flatMap((partner_id): ReadonlyArray<readonly [string, string, unknown]> => [
    ["POST", `/partners/${partner_id}/commission-plans`, { valid_from: "2030-01-01", rates: [{ of_parent: 50 }] }],
    ["POST", "/commissions/adjustments", { partner_id, amount: -10, note: "n" }],
    ["POST", "/commissions/closings", { partner_id, period }],
    ["POST", "/commissions/payouts", { ...payout, partner_id }],
    ["POST", "/commissions/payouts", { ...payout, partner_id, amount: 0.01, withheld: [{ kind: "ISS", amount: 1 }] }],
    ["DELETE", `/partners/${partner_id}`, undefined]
  ])
}

/** Headers of a response that do not depend on the time. */
const headersOf = (response: Response): string =>
  Array.from(response.headers).filter(([name]) => !["date", "server-timing"].includes(name)).toSorted().join("\n")

/**
 * Removes what differs between two installations: encrypted cursors, and the positions in the feed of events, which
 * PostgreSQL numbers by the transactions of the whole database.
 */
const withoutPositions = (body: string): string => body.replaceAll(/"(next|sequence)":("[\w-]+"|\d+),?/g, "")

/** Returns every answer that the observer gets, in order, each with its status, headers and body. */
export const observe = async (ask: Ask, named: Named): Promise<ReadonlyArray<string>> => {
  const seen: Array<string> = []
  const note = async (label: string, response: Response): Promise<Response> => {
    const body = await response.clone().text()
    seen.push(`${label}\n${response.status}\n${headersOf(response)}\n${withoutPositions(body)}`)
    return response
  }
  const read = async (path: string): Promise<void> => {
    const answer = await note(path, await ask(`${api}${path}`))
    const etag = answer.headers.get("etag")
    if (etag !== null && path.startsWith("/commissions")) {
      const again = await ask(`${api}${path}`, { headers: { "if-none-match": etag } })
      await note(`${path} ${etag}`, again)
    }
  }
  // An answer can depend on earlier requests, so send each request after the answer to the previous one.
  for (const path of readsOf(named)) await read(path)
  let after: string | null = "start"
  while (after !== null) {
    const path: string = `/commissions?size=2&after=${after}`
    const page = await note(`page after ${seen.length}`, await ask(`${api}${path}`))
    after = (await page.json() as { readonly next?: string | null }).next ?? null
  }
  for (const list of lists) {
    await note(`${list} csv`, await ask(`${api}/${list}`, csv))
    await note(`${list} csv pt-BR`, await ask(`${api}/${list}`, brazilianCsv))
  }
  for (const [method, path, json] of refusedOf(named)) {
    const answer = await ask(`${api}${path}`, json === undefined ? { method } : { method, json })
    await note(`${method} ${path} ${JSON.stringify(json)}`, answer)
    if (answer.ok) throw new Error(`${method} ${path} was accepted`)
  }
  const statement = { method: "POST", headers: { "content-type": "text/csv" }, body: "reference\n" }
  await note("statement", await ask(`${api}/commissions/statements?period=2026-01&lender=bank`, statement))
  return seen
}
