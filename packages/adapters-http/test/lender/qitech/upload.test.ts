import { assert, describe, it } from "@effect/vitest"
import { DocumentSource } from "@lastro/domain/lender"
import { Effect } from "effect"
import { makeUploadMemory, uploadDocuments } from "../../../src/lender/qitech/upload.ts"

const documents = (["IDENTITY_FRONT", "IDENTITY_BACK", "PROOF_OF_RESIDENCE"] as const).map((kind) => ({
  kind,
  reference: `${kind}.pdf`,
  sha256: null
}))

describe("the documents of a submission", () => {
  it.live("LENDER-11 are uploaded one after another: a submission has at most one call in progress", () =>
    Effect.gen(function*() {
      const source = DocumentSource.of({
        read: ({ reference }) => Effect.succeed({ bytes: new TextEncoder().encode(reference), name: reference })
      })
      const memory = makeUploadMemory()
      let inProgress = 0
      let most = 0
      const send = () =>
        Effect.suspend(() => {
          most = Math.max(most, ++inProgress)
          const answer = Effect.delay(Effect.succeed({ document_key: `key-${most}` }), "5 millis")
          return Effect.ensuring(answer, Effect.sync(() => void inProgress--))
        })
      const uploaded = yield* Effect.provideService(uploadDocuments(send, memory, documents), DocumentSource, source)
      assert.lengthOf(Object.keys(uploaded), 3)
      assert.strictEqual(most, 1)
    }))
})
