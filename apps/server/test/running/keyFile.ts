import { Effect } from "effect"
import { generateKeyPairSync } from "node:crypto"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Writes a private JWK set of one key, with these fields, to a file and removes it when the scope closes. */
export const keyFile = (kid: string, fields: object = {}) =>
  Effect.gen(function*() {
    const folder = yield* Effect.acquireRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "lastro-keys-"))),
      (path) => Effect.promise(() => rm(path, { recursive: true }))
    )
    const jwk = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" })
    const file = join(folder, "keys.json")
    yield* Effect.promise(() => writeFile(file, JSON.stringify({ keys: [{ ...jwk, kid, ...fields }] })))
    return file
  })
