import { assert, describe, it } from "@effect/vitest"
import { layerDocumentSource, layerFolderDocuments, layerWebDocuments } from "@lastro/adapters-http"
import { DocumentSource } from "@lastro/domain/lender"
import { StoredDocuments } from "@lastro/testkit"
import { documentSourceSuite } from "@lastro/testkit/suites"
import { Effect, Layer } from "effect"
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as vitest from "vitest"

const maxBytes = 4_096

const temporary = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "lastro-documents-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true }))
)

const overFolder = Layer.unwrap(Effect.map(temporary, (folder) => {
  let count = 0
  return Layer.merge(
    layerFolderDocuments({ folder, maxBytes }),
    Layer.succeed(
      StoredDocuments,
      StoredDocuments.of({
        maxBytes,
        store: (content) =>
          Effect.promise(async () => {
            count += 1
            await mkdir(join(folder, "2026"), { recursive: true })
            await writeFile(join(folder, "2026", `${count}.bin`), content)
            return `2026/${count}.bin`
          })
      })
    )
  )
}))

/** Serves documents on this machine. */
const server = Effect.acquireRelease(
  Effect.promise(async () => {
    const documents = new Map<string, Uint8Array>()
    const served = createServer(({ url = "" }, response) => {
      const bytes = documents.get(url)
      if (url === "/kyc/moved") response.writeHead(302, { location: "/kyc/1.bin" }).end()
      else if (bytes === undefined) response.writeHead(404).end()
      else response.writeHead(200).end(bytes)
    })
    await new Promise<void>((resolve) => served.listen(0, "127.0.0.1", resolve))
    const address = served.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    return { documents, served, origin: `http://127.0.0.1:${port}` }
  }),
  ({ served }) =>
    Effect.promise(() =>
      new Promise<void>((resolve) => {
        served.closeAllConnections()
        served.close(() => resolve())
      })
    )
)

const overWeb = Layer.unwrap(Effect.map(server, ({ documents, origin }) =>
  Layer.merge(
    layerWebDocuments({ allow: [`${origin}/kyc/`], maxBytes }),
    Layer.succeed(
      StoredDocuments,
      StoredDocuments.of({
        maxBytes,
        store: (content) =>
          Effect.sync(() => {
            const path = `/kyc/${documents.size + 1}.bin`
            documents.set(path, content)
            return `${origin}${path}`
          })
      })
    )
  )))

documentSourceSuite("files below a folder", overFolder, vitest)
documentSourceSuite("addresses of an allow-list", overWeb, vitest)

const reasonOf = (reference: string) =>
  Effect.flatMap(
    DocumentSource,
    (source) => Effect.map(Effect.flip(source.read({ reference, sha256: null })), ({ reason }) => reason)
  )

describe("documents below a folder", () => {
  it.live("are never read outside of it, by a path or by a link", () =>
    Effect.scoped(Effect.gen(function*() {
      const folder = yield* temporary
      const outside = yield* temporary
      yield* Effect.promise(async () => {
        await writeFile(join(outside, "secret"), "secret")
        await symlink(join(outside, "secret"), join(folder, "link"))
        await symlink(outside, join(folder, "linked"))
        await mkdir(join(folder, "inner"))
      })
      yield* Effect.gen(function*() {
        for (
          const reference of ["link", "linked/secret", "inner/../../x", "./a", "a//b", "a\\..\\b", "inner", "C:x", ""]
        ) {
          assert.include(["REFUSED", "NOT_FOUND"], yield* reasonOf(reference), reference)
        }
        assert.strictEqual(yield* reasonOf("link"), "REFUSED")
        assert.strictEqual(yield* reasonOf("linked/secret"), "REFUSED")
      }).pipe(Effect.provide(layerFolderDocuments({ folder })))
    })))
})

describe("documents at addresses", () => {
  it.live("are read only below the allow-list, and redirects are not followed", () =>
    Effect.scoped(Effect.gen(function*() {
      const { documents, origin } = yield* server
      documents.set("/kyc/1.bin", new Uint8Array([1]))
      documents.set("/other/1.bin", new Uint8Array([1]))
      yield* Effect.gen(function*() {
        const refused = [
          `${origin}/kyc/moved`,
          `${origin}/other/1.bin`,
          `${origin}/kyc/../other/1.bin`,
          `${origin}/kyc/%2e%2e/other/1.bin`,
          `${origin}/kyc/..%2fother/1.bin`,
          `${origin.replace("//", "//user:secret@")}/kyc/1.bin`,
          `http://localhost/kyc/1.bin`
        ]
        for (const reference of refused) assert.strictEqual(yield* reasonOf(reference), "REFUSED", reference)
        assert.strictEqual(yield* reasonOf("kyc/1.bin"), "REFUSED")
      }).pipe(Effect.provide(layerDocumentSource({ web: { allow: [`${origin}/kyc/`] } })))
    })))

  it.live("may not be allowed without encryption, with a query or with credentials", () =>
    Effect.gen(function*() {
      for (
        const entry of [
          "http://files.example/",
          "https://files.example/?a",
          "https://a:b@files.example/",
          "kyc",
          "https://files.example/kyc"
        ]
      ) {
        const failure = yield* Effect.flip(Effect.scoped(Layer.build(layerWebDocuments({ allow: [entry] }))))
        assert.strictEqual(failure._tag, "DocumentAddressRefused", entry)
      }
    }))

  it.live("are not read from a host in a private network", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* reasonOf("https://files.example/a"), "REFUSED")
    }).pipe(Effect.provide(layerWebDocuments({
      allow: ["https://files.example/"],
      resolve: (_, __, answer) => answer(null, [{ address: "10.0.0.1", family: 4 }])
    }))))
})
