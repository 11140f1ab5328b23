import { assert, describe, it } from "@effect/vitest"
import { Lender } from "@lastro/domain/lender"
import { percent } from "@lastro/domain/values"
import { qitechSimulator } from "@lastro/testkit/qitech"
import { Effect, Redacted } from "effect"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { layerQitech } from "../src/layers/qitech.ts"
import { type QitechSetting } from "../src/settings/qitech.ts"

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "lastro-qitech-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true }))
)

/** Prepares a simulator, and the settings of a server that uses it. */
const given = Effect.gen(function*() {
  const simulator = yield* qitechSimulator()
  const path = yield* folder
  const private_key_file = join(path, "private.pem")
  const public_key_file = join(path, "public.pem")
  yield* Effect.promise(() => writeFile(private_key_file, simulator.clientPrivateKey))
  yield* Effect.promise(() => writeFile(public_key_file, simulator.publicKey))
  const setting: QitechSetting = {
    kind: "qitech",
    url: simulator.url,
    api_key: Redacted.make(simulator.apiKey),
    private_key_file,
    public_key_file,
    tables: [{ code: "one", label: "One", monthly_rate: percent(1.8), fee: { kind: "none" } }],
    callback_path: undefined,
    bank_transfer: "pix",
    refunds: true,
    documents: { folder: path, allow: [] }
  }
  return setting
})

const open = (setting: QitechSetting) =>
  Effect.scoped(Effect.provide(Effect.map(Lender, ({ requirements }) => requirements.name), layerQitech(setting)))

describe("QI Tech as the lender of the server", () => {
  it.live("is built from its settings", () =>
    Effect.scoped(Effect.gen(function*() {
      assert.strictEqual(yield* open(yield* given), "qitech")
    })))

  it.live("stops the start with one line for a wrong setting, without its value", () =>
    Effect.scoped(Effect.gen(function*() {
      const setting = yield* given
      const wrong: ReadonlyArray<readonly [Partial<QitechSetting>, RegExp]> = [
        [{ private_key_file: "/nowhere" }, /^LASTRO_QITECH_PRIVATE_KEY_FILE must be the path of a readable file/],
        [{ public_key_file: "/nowhere" }, /^LASTRO_QITECH_PUBLIC_KEY_FILE must be the path of a readable file/],
        [{ private_key_file: setting.public_key_file }, /^LASTRO_QITECH_PRIVATE_KEY_FILE /],
        [{ public_key_file: setting.private_key_file }, /^LASTRO_QITECH_PUBLIC_KEY_FILE /],
        [{ url: "http://203.0.113.1" }, /^LASTRO_QITECH_URL must be an https URL/],
        [
          { documents: { folder: undefined, allow: ["http://files.example/"] } },
          /^LASTRO_QITECH_DOCUMENTS_ALLOW must be/
        ]
      ]
      for (const [fields, message] of wrong) {
        const failure = yield* Effect.flip(open({ ...setting, ...fields }))
        assert.match(failure.message, message)
        assert.notInclude(failure.message, "\n")
        assert.notInclude(failure.message, "/nowhere")
      }
    })))
})
