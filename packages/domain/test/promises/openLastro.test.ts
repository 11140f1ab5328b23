import { assert, describe, it } from "@effect/vitest"
import { aCustomer, layerMemory, layerMemoryWith, layerScriptedLender, MemoryDatabase } from "@lastro/testkit"
import { Deferred, Effect, Layer, Ref } from "effect"
import { PartnerRepository } from "../../src/partner/PartnerRepository.ts"
import { Busy, UnitOfWork } from "../../src/ports/UnitOfWork.ts"
import { LastroClosed } from "../../src/promises/Lastro.ts"
import { openLastro } from "../../src/promises/openLastro.ts"
import { opened, partnerBody, refusal, success } from "./opened.ts"

describe("openLastro", () => {
  it("rejects with the error of a layer that cannot be built, and leaves nothing open", async () => {
    let closed = 0
    const held = Layer.effectDiscard(Effect.addFinalizer(() => Effect.sync(() => closed++)))
    const broken = Layer.provideMerge(Layer.effectDiscard(Effect.fail(new Error("no database"))), held)
    const caught = await openLastro(Layer.merge(layerMemory, broken)).catch((error: unknown) => error)
    assert.strictEqual(Object(caught).message, "no database")
    assert.strictEqual(closed, 1)
  })

  it("closes its ports once, after the calls in progress", async () => {
    const happened: Array<string> = []
    const held = Layer.effectDiscard(Effect.addFinalizer(() => Effect.sync(() => happened.push("closed"))))
    const lastro = await openLastro(Layer.merge(layerMemory, held))
    const call = lastro.run(Effect.andThen(Effect.yieldNow, Effect.sync(() => happened.push("called"))))
    await Promise.all([lastro.close(), lastro.close(), call])
    await lastro[Symbol.asyncDispose]()
    assert.deepStrictEqual(happened, ["called", "closed"])
  })

  it("releases long polls when it closes", async () => {
    const { client, finishWork, lastro } = await opened()
    const customer = await success(lastro.run(aCustomer()))
    const { application_id } = await success(lastro.createApplication(client, { external_id: "l", customer }))
    await finishWork()
    const known = (await success(lastro.getApplicationStatus(client, application_id))).status
    const held = lastro.getApplicationStatus(client, application_id, { wait: 30, known })
    await lastro.close()
    assert.deepStrictEqual((await success(held)).status, known)
  })

  it("rejects only for a defect, with the defect", async () => {
    const defect = new Error("database unreachable")
    const broken = Layer.effect(
      PartnerRepository,
      Effect.map(PartnerRepository, (partners) => PartnerRepository.of({ ...partners, list: () => Effect.die(defect) }))
    )
    const lastro = await openLastro(Layer.provideMerge(broken, layerMemory))
    const installed = await success(lastro.bootstrap({ client_id: "erp" }))
    const caller = await success(lastro.callerOfClient(installed?.client_id ?? ""))
    assert.strictEqual(await lastro.listPartners(caller).catch((error: unknown) => error), defect)
    assert.strictEqual(await refusal(lastro.createPartner(caller, {})), "partner REQUIRED")
    await lastro.close()
  })

  it("rolls back an aborted call, and does not start a call that is already aborted", async () => {
    const inserted = Deferred.makeUnsafe<void>()
    const slow = Layer.effect(
      PartnerRepository,
      Effect.map(PartnerRepository, (partners) =>
        PartnerRepository.of({
          ...partners,
          insert: (parent, partner) =>
            partners.insert(parent, partner).pipe(
              Effect.andThen(Deferred.succeed(inserted, undefined)),
              Effect.andThen(Effect.never)
            )
        }))
    )
    const lastro = await openLastro(Layer.provideMerge(slow, layerMemory))
    await success(lastro.bootstrap({ client_id: "erp" }))
    const client = await success(lastro.callerOfClient("erp"))
    const stopped = new AbortController()
    const create = () =>
      lastro.createPartner(client, partnerBody("11222333000181"), { signal: stopped.signal }).then(
        () => "done",
        (reason: unknown) => reason
      )
    const call = create()
    await Effect.runPromise(Deferred.await(inserted))
    stopped.abort("cancelled")
    assert.deepStrictEqual([await call, await create()], ["cancelled", "cancelled"])
    assert.lengthOf((await success(lastro.listPartners(client))).content, 1)
    await lastro.close()
  })

  it("rejects calls after close, and interrupts calls that outlast the patience", async () => {
    const lastro = await openLastro(layerMemory, { closeTimeout: "20 millis" })
    const stuck = lastro.run(Effect.never).then(() => "done", () => "interrupted")
    const closesItself = lastro.run(Effect.promise(() => lastro.close())).then(() => "done", () => "interrupted")
    const closing = lastro.close()
    const late = await lastro.run(Effect.void).catch((error: unknown) => error)
    assert.instanceOf(late, LastroClosed)
    await closing
    assert.strictEqual(await stuck, "interrupted")
    assert.strictEqual(await closesItself, "interrupted")
    assert.instanceOf(await lastro.bootstrap().catch((error: unknown) => error), LastroClosed)
  })

  it("its layer provides the open ports", async () => {
    const { client, lastro } = await opened()
    const second = await openLastro(lastro.layer)
    await success(second.createPartner(client, partnerBody("11222333000181")))
    await second.close()
    assert.lengthOf((await success(lastro.listPartners(client))).content, 2)
    await lastro.close()
  })

  it("passes the request id to the audit log and the client address to the count of failed sign-ins", async () => {
    const { client, lastro } = await opened()
    await success(
      lastro.createPartner(client, partnerBody("11222333000181"), { request_id: "0af7651916cd43dd8448eb211c80319c" })
    )
    const wrong = { grant_type: "client_credentials", client_id: "erp", client_secret: "another secret" }
    assert.strictEqual(await refusal(lastro.issueToken(wrong, { client_address: "203.0.113.9" })), "TokenRefused")
    const seen = await success(lastro.run(Effect.gen(function*() {
      const { failedLogins, state } = yield* MemoryDatabase
      return { state: yield* state, failed: yield* Ref.get(failedLogins) }
    })))
    assert.strictEqual(seen.state.audit.at(-1)?.request_id, "0af7651916cd43dd8448eb211c80319c")
    assert.strictEqual(seen.failed[0]?.ip, "203.0.113.9")
    await lastro.close()
  })

  it("issues tokens, resolves their callers, and revokes sessions", async () => {
    const { installed, lastro } = await opened()
    const token = await success(
      lastro.issueToken({ grant_type: "password", username: installed.admin_email, password: installed.admin_password })
    )
    assert.strictEqual((await success(lastro.callerOfToken(token.access_token))).group, "admin")
    assert.strictEqual(await refusal(lastro.callerOfToken("forged")), "Unauthenticated")
    const { refresh_token = "" } = token
    await success(lastro.revokeToken(refresh_token))
    assert.strictEqual(await refusal(lastro.issueToken({ grant_type: "refresh_token", refresh_token })), "TokenRefused")
    await lastro.close()
  })

  it("resolves with Busy if a session could not be revoked", async () => {
    const busy = Layer.effect(
      UnitOfWork,
      Effect.map(
        UnitOfWork,
        () =>
          UnitOfWork.of({
            atomically: () => Effect.fail(new Busy({ retry_after_seconds: 1 })),
            isOpen: Effect.succeed(false)
          })
      )
    )
    const lastro = await openLastro(Layer.provide(layerMemoryWith(busy), layerScriptedLender))
    assert.strictEqual(await refusal(lastro.revokeToken("a refresh token")), "Busy")
    await lastro.close()
  })

  it("the operator creates roots and API clients, rotates secrets, and deactivates partners", async () => {
    const { lastro } = await opened()
    assert.isNull(await success(lastro.bootstrap()))
    const root = await success(lastro.createRootPartner(partnerBody("11222333000181")))
    assert.isNull(root.parent_id)
    const made = await success(lastro.createApiClient(root.partner_id, "viewer", { client_id: "shop" }))
    const grant = (client_secret: string) => ({ grant_type: "client_credentials", client_id: "shop", client_secret })
    await success(lastro.issueToken(grant(made.secret)))
    const rotated = await success(lastro.rotateApiClient("shop", { overlap: 0 }))
    assert.strictEqual(await refusal(lastro.issueToken(grant(made.secret))), "TokenRefused")
    await success(lastro.issueToken(grant(rotated.secret)))
    await success(lastro.setPartnerStatus(root.partner_id, "inactive"))
    assert.strictEqual(await refusal(lastro.callerOfClient("shop")), "Unauthenticated")
    await success(lastro.setPartnerStatus(root.partner_id, "active"))
    await success(lastro.revokeApiClient("shop"))
    assert.strictEqual(await refusal(lastro.callerOfClient("shop")), "Unauthenticated")
    assert.strictEqual(await refusal(lastro.rotateApiClient("shop")), "NotFound")
    await lastro.close()
  })
})
