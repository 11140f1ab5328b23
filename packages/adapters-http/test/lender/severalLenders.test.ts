import { assert, it } from "@effect/vitest"
import { layerHttpLender } from "@lastro/adapters-http"
import { authorize } from "@lastro/domain/access"
import { asOperator } from "@lastro/domain/hierarchy"
import { layerLenders, RoutingRepository } from "@lastro/domain/lender"
import { type Application, latestQuote, partsOf, referenceOf } from "@lastro/domain/loan"
import { acceptOffer, ApplicationRepository, createApplication, submitKyc } from "@lastro/domain/origination"
import { type ApplicationId, type OfferId } from "@lastro/domain/values"
import {
  aCaller,
  aCompleteKyc,
  aCustomer,
  exampleBank,
  layerMemoryNoLender,
  PendingWork,
  storeRootPartner
} from "@lastro/testkit"
import { recordingLenderServer } from "@lastro/testkit/lender-server"
import { Effect, Layer, Logger, Option, Result } from "effect"
import { createServer } from "node:http"
import { type AddressInfo } from "node:net"

/** A port on which no server listens. */
const closedPort = Effect.promise(() =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
)

const rejection = {
  status: 200,
  headers: { "content-type": "application/json", "lastro-lender-protocol": "2" },
  body: JSON.stringify({
    kind: "REFUSED",
    rejection: { code: "LENDER_POLICY", message: "Fora da política.", retry_at: null }
  })
}

/** The part of a submission that the test reads. */
interface Submitted {
  readonly customer: object
}

const outcomesOf = (application: Application): Readonly<Record<string, string>> =>
  Object.fromEntries(partsOf(latestQuote(application)).map(({ lender, outcome }) => [lender.code, outcome]))

const lendersOf = (application: Application): ReadonlyArray<string | undefined> =>
  latestQuote(application).offers.map(({ lender }) => lender)

it.live(
  "QUOTE-07 QUOTE-11 of a quick, a slow, a dead and a rejecting HTTP lender, the offers come within the patience and later, and a contract goes to its lender",
  () =>
    Effect.scoped(Effect.gen(function*() {
      const [quick, slow, rejecting] = yield* Effect.all([
        recordingLenderServer(),
        recordingLenderServer(),
        recordingLenderServer()
      ])
      slow.injectFaults("HOLD")
      rejecting.injectFaults(rejection)
      const lenders = layerLenders({
        dead: layerHttpLender({ url: `http://127.0.0.1:${yield* closedPort}` }),
        slow: layerHttpLender({ url: slow.url }),
        rejecting: layerHttpLender({ url: rejecting.url }),
        quick: layerHttpLender({ url: quick.url })
      }, { quotePatienceMs: 1_500 })
      const ports = Layer.provideMerge(layerMemoryNoLender, lenders)
      yield* Effect.gen(function*() {
        const root = yield* storeRootPartner()
        const allowed = Result.getOrThrow(authorize(yield* aCaller().at(root).asClient(), "fgts:write"))
        const customer = yield* aCustomer()
        const { answer } = yield* createApplication(allowed, { external_id: "loan-1", customer })
        const application_id = answer.application_id as ApplicationId
        const applications = yield* ApplicationRepository
        const until = Effect.fnUntraced(function*(reached: (application: Application) => boolean) {
          for (;;) {
            const present = Option.getOrThrow(yield* applications.ofId(application_id))
            if (reached(present)) return present
            yield* Effect.sleep("20 millis")
          }
        })
        const first = yield* until((application) => latestQuote(application).outcome !== "PENDING")
        assert.strictEqual(latestQuote(first).outcome, "COMPLETED")
        // Whether the calls to the dead lender have ended depends on the time.
        const { dead, ...others } = outcomesOf(first)
        assert.include(["PENDING", "FAILED"], dead)
        assert.deepStrictEqual(others, { slow: "PENDING", rejecting: "REJECTED", quick: "COMPLETED" })
        assert.sameMembers([...new Set(lendersOf(first))], ["quick"])

        slow.release()
        const joined = yield* until((application) => lendersOf(application).includes("slow"))
        assert.isAbove(joined.version, first.version)
        assert.sameMembers([...new Set(lendersOf(joined))], ["quick", "slow"])

        yield* submitKyc(allowed, application_id, aCompleteKyc().for(customer).build())
        const chosen = latestQuote(joined).offers.find(({ lender }) => lender === "slow")
        yield* acceptOffer(allowed, application_id, chosen?.offer_id as OfferId, { terms_accepted: true })
        const contracted = yield* until(({ proposal }) => proposal !== null && referenceOf(proposal) !== null)
        assert.strictEqual(contracted.proposal?.lender?.code, "slow")
        assert.include(["SKIPPED", "FAILED"], outcomesOf(contracted)["dead"])
        assert.deepStrictEqual(
          [quick, slow, rejecting].map((server) => server.contracts().length),
          [0, 1, 0]
        )
        for (const { calls } of [quick, rejecting]) {
          assert.deepStrictEqual(calls.map(({ method, path }) => `${method} ${path}`), ["POST /quotes"])
        }
      }).pipe(Effect.provide(Layer.merge(ports, Logger.layer([])), { local: true }))
    })),
  30_000
)

it.live(
  "QUOTE-07 QUOTE-08 no quote waits for a lender whose circuit breaker is open",
  () =>
    Effect.scoped(Effect.gen(function*() {
      const quick = yield* recordingLenderServer()
      const breaker = { failures: 1, openFor: "1 minute" } as const
      const lenders = layerLenders({
        dead: layerHttpLender({ url: `http://127.0.0.1:${yield* closedPort}`, breaker }),
        quick: layerHttpLender({ url: quick.url })
      }, { quotePatienceMs: 3_600_000 })
      yield* Effect.gen(function*() {
        const root = yield* storeRootPartner()
        const allowed = Result.getOrThrow(authorize(yield* aCaller().at(root).asClient(), "fgts:write"))
        const applications = yield* ApplicationRepository
        const quoted = Effect.fnUntraced(function*(external_id: string) {
          const { answer } = yield* createApplication(allowed, { external_id, customer: yield* aCustomer() })
          for (;;) {
            const present = Option.getOrThrow(yield* applications.ofId(answer.application_id as ApplicationId))
            if (latestQuote(present).outcome !== "PENDING") return outcomesOf(present)
            yield* Effect.sleep("20 millis")
          }
        })
        const expected = { dead: "PENDING", quick: "COMPLETED" }
        for (const strategy of ["ALL", "FIRST"] as const) {
          const codes = ["dead", "quick"]
          yield* RoutingRepository.use((routings) =>
            routings.save(asOperator.inScope(root), { lenders: codes, strategy, version: 1 })
          )
          for (const number of [1, 2]) assert.deepStrictEqual(yield* quoted(`${strategy}-${number}`), expected)
        }
      }).pipe(
        Effect.provide(Layer.merge(Layer.provideMerge(layerMemoryNoLender, lenders), Logger.layer([])), { local: true })
      )
    })),
  30_000
)

it.live(
  "QUOTE-15 no quote waits for a lender that throttles it for longer than the quote waits",
  () =>
    Effect.scoped(Effect.gen(function*() {
      const [quick, busy] = yield* Effect.all([recordingLenderServer(), recordingLenderServer()])
      const throttled = { status: 429, headers: { "retry-after": "3600" } }
      busy.injectFaults(throttled, throttled)
      const lenders = layerLenders({
        busy: layerHttpLender({ url: busy.url }),
        quick: layerHttpLender({ url: quick.url })
      }, { quotePatienceMs: 600_000 })
      yield* Effect.gen(function*() {
        const root = yield* storeRootPartner()
        const allowed = Result.getOrThrow(authorize(yield* aCaller().at(root).asClient(), "fgts:write"))
        const applications = yield* ApplicationRepository
        const quoted = Effect.fnUntraced(function*(external_id: string) {
          const { answer } = yield* createApplication(allowed, { external_id, customer: yield* aCustomer() })
          for (;;) {
            const present = Option.getOrThrow(yield* applications.ofId(answer.application_id as ApplicationId))
            if (latestQuote(present).outcome !== "PENDING") return outcomesOf(present)
            yield* Effect.sleep("20 millis")
          }
        })
        const expected = { busy: "PENDING", quick: "COMPLETED" }
        for (const strategy of ["ALL", "FIRST"] as const) {
          const codes = ["busy", "quick"]
          yield* RoutingRepository.use((routings) =>
            routings.save(asOperator.inScope(root), { lenders: codes, strategy, version: 1 })
          )
          assert.deepStrictEqual(yield* quoted(strategy), expected)
        }
        assert.lengthOf(busy.calls, 2)
      }).pipe(
        Effect.provide(Layer.merge(Layer.provideMerge(layerMemoryNoLender, lenders), Logger.layer([])), { local: true })
      )
    })),
  30_000
)

it.live("QUOTE-03 KYC-13 KYC-15 an offer needs the KYC that its own HTTP lender requires, and only this lender gets it", () =>
  Effect.scoped(Effect.gen(function*() {
    const [plain, demanding] = yield* Effect.all([recordingLenderServer(), recordingLenderServer()])
    const lenders = layerLenders({
      plain: layerHttpLender({ url: plain.url }),
      demanding: layerHttpLender({
        url: demanding.url,
        kyc: { kyc_fields: ["profession"], disbursement_methods: ["BANK_TRANSFER"] }
      })
    })
    yield* Effect.gen(function*() {
      const root = yield* storeRootPartner()
      const allowed = Result.getOrThrow(authorize(yield* aCaller().at(root).asClient(), "fgts:write"))
      const work = yield* PendingWork
      const applications = yield* ApplicationRepository
      const quoted = Effect.fnUntraced(function*(external_id: string) {
        const customer = yield* aCustomer()
        const id = (yield* createApplication(allowed, { external_id, customer })).answer.application_id as ApplicationId
        yield* work.finish
        const { offers } = latestQuote(Option.getOrThrow(yield* applications.ofId(id)))
        const offerOf = (code: string) => offers.find(({ lender }) => lender === code)?.offer_id as OfferId
        return {
          customer,
          id,
          offerOf,
          accept: (code: string) => acceptOffer(allowed, id, offerOf(code), { terms_accepted: true })
        }
      })

      const first = yield* quoted("loan-1")
      const kyc = aCompleteKyc().for(first.customer)
      const { answer: { missing_fields, next_action } } = yield* submitKyc(allowed, first.id, kyc.build())
      assert.deepStrictEqual([missing_fields, next_action], [["profession"], "ACCEPT_OFFER"])
      const refused = yield* Effect.flip(first.accept("demanding"))
      assert(refused._tag === "KycIncomplete")
      assert.sameMembers([...refused.missing], ["profession", "disbursement_method"])
      yield* submitKyc(allowed, first.id, { profession: "Professora" })
      yield* first.accept("plain")

      const second = yield* quoted("loan-2")
      const whole = aCompleteKyc().for(second.customer).requiring("profession").build()
      yield* submitKyc(allowed, second.id, {
        ...whole,
        disbursement_method: "BANK_TRANSFER",
        pix: null,
        bank: exampleBank
      })
      yield* second.accept("demanding")
      yield* work.finish
      const submitted = [plain, demanding].map(({ calls }) =>
        calls.flatMap(({ body, method, path }) =>
          `${method} ${path}` === "POST /contracts" ? [Object.hasOwn((body as Submitted).customer, "profession")] : []
        )
      )
      assert.deepStrictEqual(submitted, [[false], [true]])
    }).pipe(Effect.provide(Layer.provideMerge(layerMemoryNoLender, lenders), { local: true }))
  })))
