import { assert, describe, expectTypeOf, it } from "@effect/vitest"
import { aCustomer, layerMemory, layerMemoryStorage, PendingWork } from "@lastro/testkit"
import { Context, Effect, Layer, Option } from "effect"
import { CommonPasswords } from "../../src/identity/CommonPasswords.ts"
import { PasswordHasher } from "../../src/identity/PasswordHasher.ts"
import { type Principal, PrincipalRepository } from "../../src/identity/Principal.ts"
import { TokenSigner } from "../../src/identity/TokenSigner.ts"
import { type administration } from "../../src/operation/administration.ts"
import { type origination } from "../../src/operation/origination.ts"
import { IdGenerator, SecretGenerator } from "../../src/ports/generators.ts"
import { openAdministration, type PortsOfAdministration } from "../../src/promises/openAdministration.ts"
import { openLastro } from "../../src/promises/openLastro.ts"
import { openOrigination, type PortsOfOrigination } from "../../src/promises/openOrigination.ts"
import { openSignIn } from "../../src/promises/openSignIn.ts"
import { type UseCasePorts } from "../../src/promises/UseCasePorts.ts"
import { type UserRepository } from "../../src/user/UserRepository.ts"
import { partnerBody, refusal, success } from "./opened.ts"

/** The generators and hashers of layerMemory. */
const generators = Layer.effectContext(
  Effect.map(Layer.build(layerMemory), Context.pick(CommonPasswords, IdGenerator, PasswordHasher, SecretGenerator))
)

const signer = Layer.effectContext(Effect.map(Layer.build(layerMemory), Context.pick(TokenSigner)))

type AfterLastSlash<Text> = Text extends `${string}/${infer Rest}` ? AfterLastSlash<Rest> : Text

/** The name of a port: the last part of its key. */
type NameOf<Port> = Port extends { readonly key: infer Key } ? AfterLastSlash<Key> : never

describe("facades that need only their ports", () => {
  it("administration runs without a lender, a worker, a token signer and long polls", async () => {
    const lastro = await openAdministration(Layer.merge(layerMemoryStorage, generators))
    const installed = await success(lastro.bootstrap({ client_id: "erp" }))
    const client = await success(lastro.callerOfClient("erp"))
    const made = await success(lastro.createPartner(client, partnerBody("11222333000181"), { idempotency_key: "1" }))
    assert.strictEqual(made.parent_id, installed?.root_id)
    assert.lengthOf((await success(lastro.listPartners(client))).content, 2)
    assert.strictEqual(await refusal(lastro.createPartner(client, {})), "partner REQUIRED")
    await lastro.close()
    assert.strictEqual(await lastro.listPartners(client).catch(({ name }: Error) => name), "LastroClosed")
  })

  it("sign-in shares the ports of another facade", async () => {
    const signed = Layer.mergeAll(layerMemoryStorage, generators, signer)
    const lastro = await openAdministration(signed)
    await success(lastro.bootstrap({ client_id: "erp", client_secret: "a-secret-of-ours" }))
    const signIn = await openSignIn(lastro.layer)
    const grant = { grant_type: "client_credentials", client_id: "erp", client_secret: "a-secret-of-ours" }
    const { access_token } = await success(signIn.issueToken(grant))
    const caller = await success(signIn.callerOfToken(access_token))
    assert.lengthOf((await success(lastro.listPartners(caller))).content, 1)
    await signIn.close()
    await lastro.close()
  })

  it("origination runs with the user directory of the host, which replaces one port", async () => {
    const lastro = await openLastro(layerMemory)
    const installed = await success(lastro.bootstrap({ client_id: "erp" }))
    const root_id = installed?.root_id
    const principal = Option.getOrThrow(
      await success(lastro.run(Effect.flatMap(PrincipalRepository, ({ find }) => find("client", "erp"))))
    )
    const directory = new Map<string, Principal>([["alice", { ...principal, kind: "client", subject: "alice" }]])
    const find = (_: "user" | "client", subject: string) =>
      Effect.sync(() => Option.fromUndefinedOr(directory.get(subject)))
    const mine = Layer.succeed(PrincipalRepository, {
      find,
      findWhile: (kind, subject, meanwhile) => Effect.all([find(kind, subject), meanwhile]),
      findByEmail: () => Effect.succeedNone,
      findByClientId: () => Effect.succeedNone
    })
    const host = await openOrigination(Layer.merge(lastro.layer, mine))
    const alice = await success(host.callerOfClient("alice"))
    assert.strictEqual(alice.partner_id, root_id)
    assert.strictEqual(await refusal(host.callerOfClient("erp")), "Unauthenticated")
    const customer = await success(lastro.run(aCustomer()))
    const { application_id } = await success(host.createApplication(alice, { external_id: "1", customer }))
    await success(lastro.run(Effect.flatMap(PendingWork, ({ finish }) => finish)))
    assert.strictEqual((await success(host.getApplicationStatus(alice, application_id))).status.status, "QUOTED")
    directory.delete("alice")
    assert.strictEqual(await refusal(host.callerOfClient("alice")), "Unauthenticated")
    await host.close()
    await lastro.close()
  })

  it("each facade requires exactly the ports of its use cases", () => {
    expectTypeOf<NameOf<Exclude<UseCasePorts, PortsOfAdministration>>>().toEqualTypeOf<
      | "ApplicationRepository"
      | "CommissionLedger"
      | "CommissionPlans"
      | "CommissionSettlement"
      | "CommissionStatements"
      | "DurableWork"
      | "KycSuggestions"
      | "Lender"
      | "LenderThrottle"
      | "PersonalDataStore"
      | "ProposalRepository"
      | "RoutingRepository"
      | "StatusWatch"
      | "StoredJobs"
      | "TokenSigner"
      | "WebhookRepository"
      | "WebhookSender"
    >()
    expectTypeOf<NameOf<Exclude<UseCasePorts, PortsOfOrigination>>>().toEqualTypeOf<
      | "ApiClientRepository"
      | "AuditTrail"
      | "CommissionSettlement"
      | "CommissionStatements"
      | "CommonPasswords"
      | "Installation"
      | "LoginAttempts"
      | "PasswordHasher"
      | "PersonalDataStore"
      | "RefreshTokenRepository"
      | "TokenSigner"
      | "WebhookRepository"
      | "WebhookSender"
    >()
    expectTypeOf<Exclude<PortsOfAdministration | PortsOfOrigination, UseCasePorts>>().toBeNever()
  })

  it("a missing port does not compile, and the error names it", () => {
    const noUsers: Layer.Layer<Exclude<PortsOfAdministration, UserRepository>> = layerMemory
    // @ts-expect-error "This layer does not provide these ports. …" is missing in type … but required in type LacksPort<UserRepository>
    const open = () => openAdministration(noUsers)
    assert.isFunction(open)
  })

  it("every operation belongs to one facade, with its own types", () => {
    type Administration = Awaited<ReturnType<typeof openAdministration>>
    type Origination = Awaited<ReturnType<typeof openOrigination>>
    type Lastro = Awaited<ReturnType<typeof openLastro>>
    expectTypeOf<Pick<Administration, keyof typeof administration>>().toEqualTypeOf<
      Pick<Lastro, keyof typeof administration>
    >()
    expectTypeOf<Pick<Origination, keyof typeof origination>>().toEqualTypeOf<Pick<Lastro, keyof typeof origination>>()
    expectTypeOf<keyof Administration & keyof typeof origination>().toBeNever()
    expectTypeOf<keyof Origination & keyof typeof administration>().toBeNever()
  })
})
