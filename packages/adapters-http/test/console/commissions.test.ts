import { assert, describe, it } from "@effect/vitest"
import { CommissionLedger, CommissionSettlement, type Period, type StoredEntry } from "@lastro/domain/commission"
import { asOperator } from "@lastro/domain/hierarchy"
import { ApplicationRepository } from "@lastro/domain/origination"
import { centavos } from "@lastro/domain/values"
import { aCommissionEntry, anApplication, storeForest, storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { Server } from "../harness.ts"
import { formTokenOf, givenVisitor, type TextBrowser, withConsole } from "./TextBrowser.ts"

const period = "2025-12" as Period

/** A root, a master below it, and a seller and its sibling below the master. Each but the sibling earned in December. */
const givenNetwork = Effect.gen(function*() {
  const [root, master, seller, sibling] = yield* storeForest([null, 0, 1, 1])
  const path = [seller, master, root]
  const earned: Partial<StoredEntry> = { period, payable_on: "2025-12-10" as StoredEntry["payable_on"] }
  const { append } = yield* CommissionLedger
  yield* append([
    yield* aCommissionEntry(path, { ...earned, amount: centavos(11_00) }),
    yield* aCommissionEntry(path.slice(1), { ...earned, amount: centavos(22_00) }),
    yield* aCommissionEntry(path.slice(2), { ...earned, amount: centavos(33_00) }),
    yield* aCommissionEntry([sibling, master, root], { ...earned, amount: centavos(44_00) })
  ])
  return { root, master, seller, sibling }
})

const keyOf = (text: string, action: string): string =>
  new RegExp(`name="action" value="${action}"><input type="hidden" name="key" value="([^"]*)"`).exec(text)?.[1] ?? ""

/** Sends a form of the page of a partner and a month. */
const sends = Effect.fnUntraced(function*(
  browser: TextBrowser,
  path: string,
  action: string,
  fields: Readonly<Record<string, string>> = {}
) {
  const page = yield* browser.get(path)
  return yield* browser.post(path, { form: formTokenOf(page), action, key: keyOf(page.text, action), ...fields })
})

describe("commissions in the console", () => {
  it.effect("COMM-14 a partner sees its own commissions and those below it, and none above or beside it", () =>
    withConsole(Effect.gen(function*() {
      const { master, root, seller, sibling } = yield* givenNetwork
      const seen = {
        [root.partner_id]: [root, master, seller, sibling],
        [master.partner_id]: [master, seller, sibling],
        [seller.partner_id]: [seller]
      }
      const amounts = new Map([[root, "33.00"], [master, "22.00"], [seller, "11.00"], [sibling, "44.00"]])
      for (const viewer of [root, master, seller]) {
        const { browser } = yield* givenVisitor(viewer)
        const { status, text } = yield* browser.get(`/console/commissions?period=${period}`)
        const file = yield* browser.get(`/console/commissions/csv?period=${period}`)
        assert.strictEqual(status, 200)
        for (const partner of [root, master, seller, sibling]) {
          const isSeen = seen[viewer.partner_id]?.includes(partner) ?? false
          assert.strictEqual(text.includes(`/console/commissions/${partner.partner_id}?`), isSeen)
          assert.strictEqual(file.text.includes(partner.partner_id), isSeen)
          const one = yield* browser.get(`/console/commissions/${partner.partner_id}?period=${period}`)
          const print = yield* browser.get(`/console/commissions/${partner.partner_id}/statement?period=${period}`)
          for (const page of [one, print]) {
            assert.strictEqual(page.status, isSeen ? 200 : 403)
            assert.strictEqual(page.text.includes(`R$${amounts.get(partner)}`), isSeen)
          }
        }
      }
    })))

  it.effect("COMM-05 COMM-21 COMM-22 the forms of a month are those that the API accepts", () =>
    withConsole(Effect.gen(function*() {
      const { master, root, seller } = yield* givenNetwork
      const { send } = yield* Server
      for (const viewer of [seller, master, root]) {
        for (const group of ["admin", "manager"] as const) {
          const { browser, token } = yield* givenVisitor(viewer, group)
          for (const partner of [seller, master, root]) {
            for (const month of ["2026-01", period]) {
              const { status, text } = yield* browser.get(`/console/commissions/${partner.partner_id}?period=${month}`)
              if (status !== 200) continue
              const closing = yield* send("/api/v1/commissions/closings", {
                token,
                json: { partner_id: partner.partner_id, period: month }
              })
              const name = `${group} ${partner.partner_id} ${month}`
              assert.strictEqual(text.includes("value=\"close\""), closing.status === 200, name)
            }
          }
        }
      }
      // By now, the entries are closed. Without a closed entry, there is no form for a payout.
      const { browser } = yield* givenVisitor(root)
      const offered = (id: string, month: string) =>
        Effect.map(
          browser.get(`/console/commissions/${id}?period=${month}`),
          ({ text }) => text.includes("value=\"payout\"")
        )
      assert.deepStrictEqual(
        [
          yield* offered(seller.partner_id, period),
          yield* offered(seller.partner_id, "2025-11"),
          yield* offered(root.partner_id, period)
        ],
        [true, false, false]
      )
    })))

  it.effect("a month is closed and paid with taxes; a wrong form says what is wrong, and a second one changes nothing", () =>
    withConsole(Effect.gen(function*() {
      const { root, seller } = yield* givenNetwork
      const { browser } = yield* givenVisitor(root)
      const path = `/console/commissions/${seller.partner_id}?period=${period}`
      const done = `${path}&done=1`
      assert.strictEqual((yield* sends(browser, path, "close")).location, done)
      const shown = yield* browser.get(path)
      assert.match(shown.text, /name="amount"[^>]*value="11"/)
      const wrong = yield* sends(browser, path, "payout", { amount: "10", reference: "", paid_at: "2026-01-30" })
      assert.strictEqual(wrong.status, 422)
      assert.match(wrong.text, /<details class="card" open>/)
      assert.match(wrong.text, /name="reference"[^>]*aria-invalid="true"/)
      const fields = { reference: "TED 1", paid_at: "2026-01-30", "withheld.ISS": "0.55" }
      const other = yield* sends(browser, path, "payout", { amount: "10", ...fields })
      assert.strictEqual(other.status, 422)
      assert.match(other.text, /name="amount"[^>]*value="10"[^>]*aria-invalid="true"/)
      const taxed = { ...fields, amount: "11", "withheld.IRRF": "0.10", "withheld.ISS": "x" }
      const untaxed = yield* sends(browser, path, "payout", taxed)
      assert.match(untaxed.text, /name="withheld.ISS"[^>]*value="x"[^>]*aria-invalid="true"/)
      const overtaxed = yield* sends(browser, path, "payout", { ...fields, amount: "11", "withheld.INSS": "12" })
      assert.strictEqual(overtaxed.status, 422)
      for (const { text } of [untaxed, overtaxed]) assert.notMatch(text, /withheld[^"]*: /)
      const key = keyOf(shown.text, "payout")
      for (let sent = 0; sent < 2; sent++) {
        assert.strictEqual((yield* sends(browser, path, "payout", { amount: "11", ...fields, key })).location, done)
      }
      const settlement = yield* CommissionSettlement
      const { items } = yield* settlement.listPayouts(asOperator.scope(root.partner_id), {
        filters: {},
        page: { number: 0, size: 20 },
        sort: [{ property: "created_at", direction: "desc" }]
      })
      assert.deepStrictEqual(
        items.map(({ amount, net_amount, paid_at, reference, withheld }) => [
          amount,
          net_amount,
          paid_at,
          reference,
          withheld
        ]),
        [[centavos(1100), centavos(1045), "2026-01-30T03:00:00.000Z", "TED 1", [{ kind: "ISS", amount: centavos(55) }]]]
      )
      const { text } = yield* browser.get(path)
      assert.notInclude(text, "value=\"payout\"")
      assert.include(text, "ISS R$0.55")
    })))

  it.effect("an entry names the fee table of its contract by its label", () =>
    withConsole(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const { browser } = yield* givenVisitor(root)
      const paid = yield* anApplication().contracted().moved("PAID").of(root)
      yield* (yield* ApplicationRepository).insert(asOperator.inScope(root.partner_id), paid)
      assert(paid.proposal !== null)
      const { table } = paid.quotes.flatMap(({ offers }) => offers)[0] ?? {}
      assert(table !== undefined)
      const { proposal_id } = paid.proposal
      const entry = { period, proposal_id, lender: "quick", table: table.code }
      yield* (yield* CommissionLedger).append([
        yield* aCommissionEntry([root], entry),
        yield* aCommissionEntry([root], { period, lender: "own", table: "gold" })
      ])
      for (const page of ["", "/statement"]) {
        const { text } = yield* browser.get(`/console/commissions/${root.partner_id}${page}?period=${period}`)
        assert.include(text, `<span>quick, ${table.label}</span>`)
        assert.include(text, "<span>own, gold</span>")
      }
    })))

  it.effect("a statement has the entries of its month, and prints without the navigation", () =>
    withConsole(Effect.gen(function*() {
      const { root, seller } = yield* givenNetwork
      const { browser } = yield* givenVisitor(root)
      const { text } = yield* browser.get(`/console/commissions/${seller.partner_id}/statement?period=${period}`)
      assert.include(text, "Commission statement, December 2025")
      assert.include(text, seller.name)
      const empty = yield* browser.get(`/console/commissions/${seller.partner_id}/statement?period=2025-11`)
      assert.include(empty.text, "There are no entries in this month.")
      const style = /href="(\/console\/style[^"]*)"/.exec(text)?.[1] ?? ""
      assert.match((yield* browser.get(style)).text, /@media print\{[^@]*header\.top[^}]*\{display:none\}/)
      assert.strictEqual((yield* browser.get("/console/commissions?period=2025-13")).status, 422)
    })))
})
