import { DocumentSource } from "@lastro/domain/lender"
import { assert } from "chai"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { StoredDocuments } from "../../memory/lender.ts"
import { type ContractCases } from "../suite/ContractSuite.ts"

const content = new TextEncoder().encode("the content of a document\u0000\u00ff")
const sha256 = createHash("sha256").update(content).digest("hex")

const read = (reference: string, digest: string | null = null) =>
  Effect.flatMap(DocumentSource, (source) => source.read({ reference, sha256: digest }))

const store = (bytes: Uint8Array) => Effect.flatMap(StoredDocuments, (documents) => documents.store(bytes))

/** Contract cases for DocumentSource. */
export const documentSourceCases: ContractCases<DocumentSource | StoredDocuments> = (it) => {
  it("`read` returns the content of a document, byte by byte", function*() {
    const { bytes, name } = yield* read(yield* store(content))
    assert.deepStrictEqual([...bytes], [...content])
    assert.notInclude(name, "/")
  })

  it("`read` returns content that has the SHA-256 of the reference, and fails with CHANGED for other content", function*() {
    const reference = yield* store(content)
    assert.strictEqual((yield* read(reference, sha256)).bytes.length, content.length)
    assert.strictEqual((yield* Effect.flip(read(reference, "0".repeat(64)))).reason, "CHANGED")
  })

  it("`read` fails with NOT_FOUND if there is no document", function*() {
    const reference = yield* store(content)
    assert.strictEqual((yield* Effect.flip(read(`${reference}.missing`))).reason, "NOT_FOUND")
  })

  it("`read` fails with REFUSED for a reference whose form the source does not use", function*() {
    for (const reference of ["../secret", "/etc/passwd", "https://elsewhere.example/a", "file:///etc/passwd"]) {
      assert.strictEqual((yield* Effect.flip(read(reference))).reason, "REFUSED", reference)
    }
  })

  it("`read` fails with TOO_LARGE above the limit, and returns a document at the limit", function*() {
    const { maxBytes } = yield* StoredDocuments
    assert.strictEqual((yield* read(yield* store(new Uint8Array(maxBytes)))).bytes.length, maxBytes)
    assert.strictEqual((yield* Effect.flip(read(yield* store(new Uint8Array(maxBytes + 1))))).reason, "TOO_LARGE")
  })

  it("a failure contains neither the reference nor any content", function*() {
    const reference = yield* store(content)
    const failures = [
      yield* Effect.flip(read(reference, "0".repeat(64))),
      yield* Effect.flip(read(`${reference}.missing`))
    ]
    for (const failure of failures) {
      assert.notInclude(JSON.stringify(failure), reference)
      assert.notInclude(JSON.stringify(failure), "content of")
    }
  })
}
