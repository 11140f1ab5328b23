/* oxlint-disable eslint/no-await-in-loop -- a request of a history follows the one before */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { isOrdeal, rounds } from "../../../../test/rounds.ts"
import { openMemorySide } from "./memorySide.ts"
import { observe } from "./observe.ts"
import { openPostgresSide } from "./postgresSide.ts"
import { partnerCount, Secrets, type Variant } from "./Secrets.ts"
import { type Side } from "./Side.ts"

const kinds = [
  ...["plan", "move", "accept", "pay", "reverse", "adjust", "month", "close", "payout"] as const,
  ...["plan", "pay", "sale", "transfer", "transfer"] as const
]

const number = fc.nat({ max: 1_000_000 })

/** A step of a history, with two random numbers that select its partners, contract and amounts. */
const step = fc.record({ kind: fc.constantFrom(...kinds), one: number, other: number })

type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

const history = fc.record({
  observer: fc.constantFrom(1, 3, 4, 5),
  gains: fc.array(fc.constantFrom(2, 3, 4), { minLength: partnerCount, maxLength: partnerCount }),
  steps: fc.array(step, { minLength: 8, maxLength: 12 })
})

const monthOf = (day: string): string => day.slice(0, 7)

/** Plays a history and its variant side by side. */
class Player {
  readonly #sides: readonly [Side, Side]
  readonly #secrets: Secrets
  readonly #observer: number
  readonly #contracts: Array<string> = []
  readonly #months: Array<string> = []

  constructor(sides: readonly [Side, Side], observer: number, gains: ReadonlyArray<number>) {
    this.#sides = sides
    this.#observer = observer
    this.#secrets = new Secrets(observer, gains)
  }

  #id(partner: number): string {
    return this.#sides[0].partners[partner] ?? ""
  }

  /** Sends a request to both sides. Both must answer with the same status. */
  async #send(
    caller: number,
    method: string,
    path: string,
    bodyOf: (variant: Variant) => unknown
  ): Promise<void> {
    const answers: Array<string> = []
    for (const variant of [0, 1] as const) {
      const answer = await this.#sides[variant].ask(caller)(`/api/v1${path}`, { method, json: bodyOf(variant) })
      answers.push(`${answer.status} ${answer.ok ? "" : await answer.text()}`)
    }
    assert.strictEqual(answers[0], answers[1])
  }

  async plan(partner: number, size: number): Promise<void> {
    const valid_from = size % 5 === 0 ? `${monthOf(this.#sides[0].today())}-28` : this.#sides[0].today()
    const path = this.#secrets.path(partner)
    const writer = partner === 0 ? 0 : path[size % (path.length - 1)] ?? 0
    const own = size % 3 === 0 ? [{ lender: "bank", table: null }] : []
    await this.#send(writer, "POST", `/partners/${this.#id(partner)}/commission-plans`, (variant) => ({
      valid_from,
      ...partner === 0 ? { basis: "NET" } : {},
      rates: [{ lender: null, table: null }, ...own].map((key, index) => ({
        ...key,
        [partner === 0 ? "percent" : "of_parent"]: this.#secrets.percent(partner, size + index, variant)
      }))
    }))
  }

  async play({ kind, one, other }: Step): Promise<void> {
    const [first, second] = this.#sides
    const partner = one % partnerCount
    const below = 1 + one % (partnerCount - 1)
    const above = this.#secrets.path(below).at(-2 - other % 2) ?? 0
    const partner_id = this.#id(below)
    const contract = this.#contracts.at(-1 - one % Math.max(1, this.#contracts.length))
    switch (kind) {
      case "plan":
        return this.plan(partner, other)
      case "move": {
        const parent = other % partnerCount
        if (!this.#secrets.move(below, parent)) return
        return this.#send(0, "PATCH", `/partners/${partner_id}`, () => ({
          partner: { parent_uuid: this.#id(parent) }
        }))
      }
      case "accept": {
        const ids = [await first.accept(partner, other), await second.accept(partner, other)]
        assert.strictEqual(ids[0], ids[1])
        this.#contracts.push(...ids.slice(1))
        return
      }
      case "sale":
        await this.play({ kind: "accept", one, other })
        return this.play({ kind: "pay", one: 0, other })
      // A partner earns inside and outside the observer's subtree, often within a month.
      case "transfer": {
        const crossings = this.#secrets.crossings()
        const [moved = below, parent = 0] = crossings[one % crossings.length] ?? []
        await this.play({ kind: "sale", one: moved, other })
        await this.play({ kind: "move", one: moved - 1, other: parent })
        await this.plan(moved, other)
        return this.play({ kind: "sale", one: moved, other })
      }
      case "pay":
      case "reverse": {
        if (contract === undefined) return
        for (const side of this.#sides) await side.end(contract, kind === "pay" ? "PAID" : "REFUNDED")
        return
      }
      case "adjust":
        return this.#send(above, "POST", "/commissions/adjustments", (variant) => ({
          partner_id,
          amount: this.#secrets.adjustment(below, other, variant),
          note: "Bonus"
        }))
      case "month":
        for (const side of this.#sides) await side.pass(20)
        return
      case "close":
        return this.#send(above, "POST", "/commissions/closings", () => ({
          partner_id,
          period: monthOf(new Date(Date.parse(first.today()) - 32 * 86_400_000).toISOString())
        }))
      case "payout": {
        const period = monthOf(first.today())
        const query = `/api/v1/commissions?size=100&status=CLOSED&partner_id=${partner_id}`
        const sums = await Promise.all(this.#sides.map(async (side) => {
          const page = await (await side.ask(above)(query)).json() as {
            readonly content: ReadonlyArray<{ readonly amount: number }>
          }
          return page.content.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)
        }))
        if (sums.some((sum) => sum <= 0)) return
        return this.#send(above, "POST", "/commissions/payouts", (variant) => ({
          partner_id,
          period,
          amount: (sums[variant] ?? 0) / 100,
          reference: "TED",
          paid_at: "2026-01-10T00:00:00Z"
        }))
      }
    }
  }

  /**
   * The observer reads everything that it can, on both sides. Every byte must be the same. `about` has the partners that
   * its requests name.
   */
  async compare(about: ReadonlyArray<number>): Promise<void> {
    const month = monthOf(this.#sides[0].today())
    if (this.#months.at(-1) !== month) this.#months.push(month)
    const named = {
      partners: about.map((partner) => this.#id(partner)),
      contracts: this.#contracts,
      unchangeable: about.filter((partner) => partner === this.#observer || !this.#secrets.isInside(partner))
        .map((partner) => this.#id(partner)),
      months: this.#months
    }
    const [first = [], second = []] = await Promise.all(
      this.#sides.map((side) => observe(side.ask(this.#observer), named))
    )
    for (const [index, seen] of first.entries()) assert.strictEqual(seen, second[index])
    assert.strictEqual(first.length, second.length)
  }
}

const everybody = Array.from({ length: partnerCount }, (_, partner) => partner)

/**
 * Plays a history on two sides, and compares what the observer reads about everybody. With `everyStep`, also compares
 * after each step what the observer reads about itself and the step's partner.
 */
const playHistory = async (
  open: () => Promise<Side>,
  { gains, observer, steps }: typeof history extends fc.Arbitrary<infer A> ? A : never,
  { everyStep }: { readonly everyStep: boolean }
): Promise<void> => {
  const sides = [await open(), await open()] as const
  try {
    const player = new Player(sides, observer, gains)
    for (const partner of everybody) await player.plan(partner, partner + 1)
    await player.compare(everybody)
    for (const played of steps) {
      await player.play(played)
      if (everyStep) await player.compare([observer, played.one % partnerCount])
    }
    await player.compare(everybody)
  } finally {
    await Promise.all(sides.map(({ close }) => close()))
  }
}

describe("a partner and the shares of partners outside its subtree", () => {
  it(
    "T01 COMM-17 answers do not depend on the shares of ancestors and siblings, over random histories in memory",
    () =>
      fc.assert(fc.asyncProperty(history, (played) => playHistory(openMemorySide, played, { everyStep: true })), {
        numRuns: isOrdeal ? rounds : 1,
        endOnFailure: !isOrdeal
      }),
    60_000 + rounds * 60_000
  )

  it(
    "T01 COMM-17 answers do not depend on the shares of ancestors and siblings, over PostgreSQL",
    () =>
      fc.assert(fc.asyncProperty(history, (played) => playHistory(openPostgresSide, played, { everyStep: isOrdeal })), {
        numRuns: isOrdeal ? Math.ceil(rounds / 10) : 1,
        endOnFailure: true
      }),
    60_000 + rounds * 60_000
  )
})
