import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { root, running } from "./lastro.ts"
import { emptyFolder, freePort } from "./machine.ts"
import { listening } from "./serving.ts"

const blocks = (readme: string, kind: string): ReadonlyArray<string> =>
  [...readme.matchAll(/^```sh (\w+)\n([^`]*)^```$/gm)].filter(([, name]) => name === kind).map(([, , code]) =>
    code ?? ""
  )

/** A response as the tour prints it. */
interface Shown {
  readonly status: number
  readonly body: unknown
}

/** Parses the printed responses: a status, then optional JSON. */
const answersIn = (output: string): ReadonlyArray<Shown> =>
  output.split(/^(?=\d{3} )/m).map((shown) => {
    const text = shown.slice(4).trim()
    return { status: Number(shown.slice(0, 3)), body: text === "" ? undefined : JSON.parse(text) as unknown }
  })

const at = (value: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>((part, key) => Object(part)[key] as unknown, value)

const listed = (body: unknown, field: string): ReadonlyArray<unknown> =>
  (at(body, "content") as ReadonlyArray<unknown>).map((item) => at(item, field))

type Expected = readonly [status: number, check: (body: unknown) => void]

const refused = (status: number, code: string): Expected => [
  status,
  (body) => assert.strictEqual(at(body, "error", "code"), code)
]

const names = (...expected: ReadonlyArray<string>): Expected => [
  200,
  (body) => assert.deepStrictEqual(listed(body, "name"), expected)
]

const gone: Expected = [204, (body) => assert.isUndefined(body)]

const problems: Expected = [422, (body) => {
  const details = at(body, "error", "details") as ReadonlyArray<unknown>
  assert.deepStrictEqual(
    details.map((detail) => `${String(at(detail, "field"))} ${String(at(detail, "code"))}`).toSorted(),
    [
      "partner.colour UNKNOWN_FIELD",
      "partner.document_number INVALID_CHECK_DIGIT",
      "partner.email REQUIRED",
      "partner.name TOO_SHORT",
      "partner.phone REQUIRED"
    ]
  )
}]

/** The balances that are not 0, the greatest first. Those of earlier tours were reversed. */
const balances = (body: unknown): ReadonlyArray<number> =>
  listed(body, "balance").map(Number).filter((balance) => balance !== 0).toSorted((a, b) => b - a)

/** The expected responses, in the order of the tour. Each of the earlier tours left a contract whose money was returned. */
const expectedResponses = (earlier: number): ReadonlyArray<Expected> => [
  names("Lastro", "Loja Avenida Paulista"),
  names("São Paulo Promotora"),
  [201, (body) => {
    assert.strictEqual(at(body, "data", "document_number"), "12ABC34501DE35")
    assert.deepStrictEqual(at(body, "data", "pix"), { type: "EMAIL", key: "contato@facil.example" })
  }],
  problems,
  [201, (body) => assert.strictEqual(at(body, "rates", 0, "percent"), 12.5)],
  [201, (body) => assert.strictEqual(at(body, "rates", 0, "of_parent"), 60)],
  refused(403, "PASSWORD_CHANGE_REQUIRED"),
  [200, (body) => assert.strictEqual(at(body, "data", "must_change_password"), false)],
  names("Crédito Fácil"),
  names("José Conceição"),
  [200, (body) => assert.deepStrictEqual(at(body, "next_action"), "SUBMIT_KYC")],
  [200, (body) => {
    assert.deepStrictEqual(at(body, "customer", "cpf"), "11144477735")
    const offers = at(body, "quote", "offers") as ReadonlyArray<unknown>
    assert.deepStrictEqual(offers.map((offer) => at(offer, "lender", "code")), ["slow", "quick"])
  }],
  refused(409, "KYC_INCOMPLETE"),
  [200, (body) => assert.deepStrictEqual(at(body, "status"), "PREFILLED")],
  [200, (body) => assert.deepStrictEqual(at(body, "complete"), true)],
  [202, (body) => assert.deepStrictEqual(at(body, "status"), "CONTRACTING")],
  [200, (body) => assert.deepStrictEqual(at(body, "status"), "CONTRACTED")],
  [200, (body) => assert.deepStrictEqual(listed(body, "status"), ["PAID", ...Array<string>(earlier).fill("REFUNDED")])],
  [200, (body) => {
    assert.deepStrictEqual(at(body, "data", "status"), "PAID")
    const history = at(body, "data", "status_history") as ReadonlyArray<unknown>
    assert.deepStrictEqual(history.map((step) => at(step, "status")), [
      "SUBMITTING",
      "AWAITING_SIGNATURE",
      "GUARANTEE_PENDING",
      "DISBURSING",
      "PAID"
    ])
  }],
  [200, (body) => {
    const [most = 0, least = 0, ...others] = balances(body)
    assert.isAbove(least, 0)
    assert.closeTo(most, least * 0.6 / 0.4, 0.02)
    assert.isEmpty(others)
  }],
  [200, (body) => assert.lengthOf(balances(body), 1)],
  [202, (body) => assert.deepStrictEqual(at(body, "data", "status"), "REFUND_PENDING")],
  [200, (body) => assert.deepStrictEqual(balances(body), [])],
  refused(409, "PARTNER_HAS_DEPENDENTS"),
  gone,
  gone,
  gone
]

/** Tests the tour of the READMEs in a shell, `times` times on one server. Both READMEs have the same tour. */
export const testTours = (shell: "bash" | "zsh", times: number): void => {
  it.live(
    `the tour runs as written in ${shell}, ${times} times on one server, which leaves no temporary files`,
    () =>
      Effect.gen(function*() {
        const [readme = "", portuguese = ""] = yield* Effect.promise(() =>
          Promise.all(["README.md", "README.pt-BR.md"].map((file) => readFile(join(root, file), "utf8")))
        )
        assert.deepStrictEqual(blocks(portuguese, "tour"), blocks(readme, "tour"))
        const TMPDIR = yield* emptyFolder
        const [start = ""] = blocks(readme, "start")
        // Uses the installed pnpm, which is the same version.
        const server = yield* listening(
          yield* running("bash", ["-c", start.replace("npx -y pnpm@12.21.0 start", "exec pnpm start")], {
            PORT: "0",
            TMPDIR
          })
        )
        const script = ["set -euo pipefail", ...blocks(readme, "tour")].join("\n")
        for (let earlier = 0; earlier < times; earlier++) {
          const tour = yield* running(shell, ["-c", script], { API: server.url, RECEIVER: String(yield* freePort) })
          assert.strictEqual(yield* tour.ended, 0, `${tour.out()}${tour.err()}`)
          assert.strictEqual(tour.err(), "")
          // The receiver of the webhook prints one line.
          const [before = "", after = "", ...others] = tour.out().split(/^proposal\.paid\n/m)
          assert.deepStrictEqual(others, [])
          const answers = [...answersIn(before), ...answersIn(after)]
          const expected = expectedResponses(earlier)
          assert.deepStrictEqual(answers.map(({ status }) => status), expected.map(([status]) => status))
          expected.forEach(([, check], index) => check(answers[index]?.body))
        }
        server.kill("SIGTERM")
        yield* server.ended
        assert.deepStrictEqual(yield* Effect.promise(() => readdir(TMPDIR)), [])
      }),
    { timeout: 300_000 }
  )
}
