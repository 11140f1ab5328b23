import { assert, describe, it } from "@effect/vitest"
import { permissions } from "@lastro/domain/access"
import { maskCpf } from "@lastro/domain/values"
import { exampleBank, PendingWork, storeRootPartner } from "@lastro/testkit"
import { Effect } from "effect"
import { at, codeOf, type Reply } from "../client.ts"
import { withServer } from "../harness.ts"
import { givenOpened, givenVoice, offersOf } from "../origination.ts"

describe("personal data", () => {
  it.effect("is shown with kyc:read and masked without; lists of proposals always mask it", () =>
    withServer(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const voice = yield* givenVoice(root)
      const { customer, id, kyc } = yield* givenOpened(voice)
      const { finish } = yield* PendingWork
      yield* finish
      yield* voice.submit(id, { ...kyc, disbursement_method: "BANK_TRANSFER", bank: exampleBank })
      const [offer = ""] = offersOf(yield* voice.read(id))
      const proposal = String(at(yield* voice.accept(id, offer), "proposal_id"))
      const external_id = String(at(yield* voice.read(id), "external_id"))
      const readers = [
        { reader: voice, cpf: customer.cpf },
        { reader: yield* givenVoice(root, "viewer"), cpf: maskCpf(customer.cpf) },
        {
          reader: yield* givenVoice(root, "admin", permissions.filter((one) => one !== "kyc:read")),
          cpf: maskCpf(customer.cpf)
        }
      ]
      const tags: Array<string | null> = []
      for (const { cpf, reader } of readers) {
        const read = yield* reader.read(id, "?include=quotes")
        const found = yield* reader.search(external_id)
        const detail = yield* reader.proposal(proposal)
        const list = yield* reader.proposals()
        assert.strictEqual(at(read, "customer", "cpf"), cpf)
        assert.strictEqual(at(found, "data", 0, "customer", "cpf"), cpf)
        assert.strictEqual(at(detail, "data", "customer", "cpf"), cpf)
        assert.strictEqual(at(list, "content", 0, "customer", "cpf"), maskCpf(customer.cpf))
        assert.strictEqual(at(detail, "data", "disbursement", "account_number"), "****2345")
        for (const reply of [read, found, detail, list]) {
          assert.strictEqual(reply.headers.get("cache-control"), "private, no-cache")
          const isList = reply === found || reply === list
          assert.strictEqual(
            reply.headers.get("vary"),
            isList ? "Authorization, Accept, Accept-Language" : "Authorization, Accept-Language"
          )
          assert.notInclude(reply.text, String(exampleBank.account_number))
        }
        const told = [read, found, detail].filter(({ text }) => text.includes(customer.cpf)).length
        assert.strictEqual(told, cpf === customer.cpf ? 3 : 0)
        tags.push(read.headers.get("etag"))
      }
      assert.notStrictEqual(tags[0], tags[1], "the masked record has another tag")
      assert.strictEqual(tags[1], tags[2])
    })))

  it.effect("T63 a caller without kyc:read can neither complete a masked CPF nor confirm a guess", () =>
    withServer(Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const voice = yield* givenVoice(root)
      const { customer, id, kyc } = yield* givenOpened(voice)
      const { finish } = yield* PendingWork
      yield* finish
      yield* voice.submit(id, {
        ...kyc,
        disbursement_method: "PIX",
        pix: { type: "CPF", key: customer.cpf },
        bank: null
      })
      const [offer = ""] = offersOf(yield* voice.read(id))
      const proposal = String(at(yield* voice.accept(id, offer), "proposal_id"))
      const guesses = [customer.cpf, "52998224725", "not a CPF"]
      for (
        const reader of [
          yield* givenVoice(root, "viewer"),
          yield* givenVoice(root, "admin", permissions.filter((one) => one !== "kyc:read"))
        ]
      ) {
        const detail = yield* reader.proposal(proposal)
        assert.strictEqual(at(detail, "data", "disbursement", "pix_key"), "****")
        assert.strictEqual(at(detail, "data", "disbursement", "pix_key_type"), "CPF")
        for (const guess of guesses) {
          const refused = yield* reader.proposals(`?cpf=${encodeURIComponent(guess)}`)
          assert.deepStrictEqual([refused.status, codeOf(refused)], [403, "PERMISSION_DENIED"])
        }
        assert.strictEqual((yield* reader.proposals("?cpf=")).status, 200)
      }
      const found = yield* voice.proposals(`?cpf=${customer.cpf}`)
      assert.strictEqual(at(found, "page", "total_elements"), 1)
      const full = yield* voice.proposal(proposal)
      assert.strictEqual(at(full, "data", "disbursement", "pix_key"), `****${customer.cpf.slice(-4)}`)
    })))

  it.effect("is absent from the status", () =>
    withServer(Effect.gen(function*() {
      const voice = yield* givenVoice(yield* storeRootPartner())
      const { id } = yield* givenOpened(voice)
      const slim: Reply = yield* voice.status(id)
      assert.deepStrictEqual(Object.keys(Object(slim.body)), [
        "application_id",
        "status",
        "quote_status",
        "kyc_complete",
        "next_action",
        "retry_at",
        "proposal_id",
        "signature_url",
        "version",
        "updated_at"
      ])
    })))
})
