import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { migratedDatabase } from "../../../packages/adapters-sql/test/postgres.ts"
import { runInProcess } from "./running/inProcess.ts"
import { onPostgres } from "./running/serving.ts"

it.live(
  "T53 KEY-04 lists, rotates, retires and revokes keys from the command line, but never retires the last one",
  () =>
    Effect.scoped(Effect.gen(function*() {
      const environment = onPostgres(yield* migratedDatabase)
      const keys = (...args: ReadonlyArray<string>) => runInProcess(["keys", ...args], environment)
      const rotated = (text: string) =>
        Effect.map(keys("rotate"), ({ ending, out }) => {
          assert.strictEqual(ending, 0)
          assert.include(out, text)
          return out.split(" ")[0] ?? ""
        })
      assert.strictEqual(
        (yield* keys("list")).out,
        "There are no signing keys. The server creates one for its first access token.\n"
      )
      const first = yield* rotated("signs now")
      const last = yield* keys("retire", first)
      assert.deepStrictEqual([last.ending, last.err], [
        2,
        "lastro: This is the last live signing key. Add another one first: lastro keys rotate.\n"
      ])

      const second = yield* rotated("will sign in 5 minutes")
      const listed = (yield* keys("list")).out
      assert.match(listed, new RegExp(`^${first}\\t\\S+Z\\tlive\\tsigns$`, "m"))
      assert.match(listed, new RegExp(`^${second}\\t\\S+Z\\tlive\\tverifies$`, "m"))
      assert.notInclude(listed, "\"d\"")

      assert.strictEqual((yield* keys("retire", first)).ending, 0)
      assert.match((yield* keys("list")).out, new RegExp(`^${second}\\t\\S+Z\\tlive\\tsigns$`, "m"))
      for (const unknown of [[first], ["--", "-hyphen"]]) {
        assert.strictEqual((yield* keys("retire", ...unknown)).err, "lastro: No live signing key has this id.\n")
      }

      assert.strictEqual(
        (yield* keys("revoke", first, "--yes")).out,
        `${first} is revoked. Every node refuses its tokens within 10 seconds.\n`
      )
      const [, third = ""] = /The new key (\S+) signs from now on/.exec((yield* keys("revoke", second, "--yes")).out) ??
        []
      assert.match((yield* keys("list")).out, new RegExp(`^kid\\t.*\n${third}\\t\\S+Z\\tlive\\tsigns\n$`))
      const again = yield* keys("revoke", second, "--yes")
      assert.deepStrictEqual([again.ending, again.err], [1, "lastro: No signing key has this id.\n"])
    })),
  60_000
)
