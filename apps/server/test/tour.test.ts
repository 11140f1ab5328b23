import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { root, running } from "./running/lastro.ts"
import { listening } from "./running/serving.ts"

/** The README's code blocks of one kind, one after the other. */
const blocks = (readme: string, kind: string): ReadonlyArray<string> =>
  [...readme.matchAll(/^```sh (\w+)\n([^`]*)^```$/gm)].filter(([, name]) => name === kind).map(([, , code]) =>
    code ?? ""
  )

const emptyFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "lastro-tour-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

/** What the tour shows of an answer. */
interface Shown {
  readonly status: number
  readonly body: unknown
}

/** The answers that the tour showed: a status, and JSON over several lines after it where there is a body. */
const answersIn = (output: string): ReadonlyArray<Shown> =>
  output.split(/^(?=\d{3} )/m).map((shown) => {
    const text = shown.slice(4).trim()
    return { status: Number(shown.slice(0, 3)), body: text === "" ? undefined : JSON.parse(text) as unknown }
  })

const at = (value: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>((found, key) => Object(found)[key] as unknown, value)

const listed = (body: unknown, field: string): ReadonlyArray<unknown> =>
  (at(body, "content") as ReadonlyArray<unknown>).map((item) => at(item, field))

type Promised = readonly [status: number, check: (body: unknown) => void]

const refused = (status: number, code: string): Promised => [
  status,
  (body) => assert.strictEqual(at(body, "error", "code"), code)
]

const names = (...expected: ReadonlyArray<string>): Promised => [
  200,
  (body) => assert.deepStrictEqual(listed(body, "name"), expected)
]

const gone: Promised = [204, (body) => assert.isUndefined(body)]

const problems: Promised = [422, (body) => {
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

/** What a newcomer is to see, in the order of the tour. */
const promised: ReadonlyArray<Promised> = [
  names("Lastro", "Loja Avenida Paulista"),
  names("São Paulo Promotora"),
  [201, (body) => {
    assert.strictEqual(at(body, "data", "document_number"), "12ABC34501DE35")
    assert.deepStrictEqual(at(body, "data", "pix"), { type: "EMAIL", key: "contato@facil.example" })
  }],
  problems,
  [200, (body) => {
    assert.strictEqual(at(body, "data", "name"), "Crédito Fácil S.A.")
    assert.isNull(at(body, "data", "pix"))
  }],
  refused(412, "PRECONDITION_FAILED"),
  refused(403, "PASSWORD_CHANGE_REQUIRED"),
  [200, (body) => assert.strictEqual(at(body, "data", "must_change_password"), false)],
  names("Crédito Fácil S.A."),
  names("José Conceição"),
  refused(409, "PARTNER_HAS_DEPENDENTS"),
  gone,
  gone
]

describe("README.md", () => {
  it.live("the tour runs as it is written, on a server that leaves nothing behind", () =>
    Effect.gen(function*() {
      const readme = yield* Effect.promise(() => readFile(join(root, "README.md"), "utf8"))
      const TMPDIR = yield* emptyFolder
      const [start = ""] = blocks(readme, "start")
      // The registry's pnpm need not be fetched: this one is the same.
      const server = yield* listening(
        yield* running("bash", ["-c", start.replace("npx -y pnpm@12.21.0 start", "exec pnpm start")], {
          PORT: "0",
          TMPDIR
        })
      )
      const script = ["set -euo pipefail", ...blocks(readme, "tour")].join("\n")
      const tour = yield* running("bash", ["-c", script], { API: server.url })
      assert.strictEqual(yield* tour.ended, 0, `${tour.out()}${tour.err()}`)
      assert.strictEqual(tour.err(), "")
      const answers = answersIn(tour.out())
      assert.deepStrictEqual(answers.map(({ status }) => status), promised.map(([status]) => status))
      promised.forEach(([, check], index) => check(answers[index]?.body))
      server.kill("SIGTERM")
      yield* server.ended
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(TMPDIR)), [])
    }), { timeout: 60_000 })
})
