import { AuditLog, AuditTrail, PersonalDataHasher, RequestId } from "@lastro/domain/audit"
import {
  CommissionLedger,
  CommissionPlans,
  CommissionSettlement,
  CommissionStatements
} from "@lastro/domain/commission"
import { EventLog, SubscriptionStore } from "@lastro/domain/event"
import { IdempotencyStore } from "@lastro/domain/idempotency"
import {
  ApiClientRepository,
  CommonPasswords,
  LoginAttempts,
  PasswordHasher,
  PrincipalRepository,
  RefreshTokenRepository,
  SigningKeyRepository,
  type TokenSigner
} from "@lastro/domain/identity"
import { type JobPorts, StoredJobs } from "@lastro/domain/jobs"
import { Lender, LenderThrottle, RoutingRepository } from "@lastro/domain/lender"
import { Installation } from "@lastro/domain/operator"
import {
  ApplicationRepository,
  DurableWork,
  KycSuggestions,
  ProposalRepository,
  StatusWatch
} from "@lastro/domain/origination"
import { PartnerRepository } from "@lastro/domain/partner"
import { IdGenerator, PartnerTree, SecretGenerator, UnitOfWork } from "@lastro/domain/ports"
import { PersonalDataStore } from "@lastro/domain/privacy"
import { type UseCasePorts } from "@lastro/domain/promises"
import { UserRepository } from "@lastro/domain/user"
import { WebhookRepository, WebhookSender } from "@lastro/domain/webhook"
import { type Context, Effect, Layer } from "effect"

/** Returns whether a value is an effect, with any error and requirements. */
const isCall = (value: unknown): value is Effect.Effect<unknown> => Effect.isEffect(value)

/** The side that called a method: a use case, which has a request id in these tests, or the rest of the node. */
export type Side = "use case" | "background"

/** Every port, except the token signer, which is composed above a node. */
type ReplaceablePorts = Exclude<UseCasePorts, TokenSigner> | JobPorts | SigningKeyRepository

/** The sides that use a port during {@link playEverything}. */
export const expectedSides: Readonly<Record<string, ReadonlyArray<Side>>> = {
  ApiClientRepository: ["use case"],
  ApplicationRepository: ["background", "use case"],
  AuditLog: ["background", "use case"],
  AuditTrail: ["use case"],
  CommissionLedger: ["use case"],
  CommissionPlans: ["use case"],
  CommissionSettlement: ["use case"],
  CommissionStatements: ["use case"],
  CommonPasswords: ["use case"],
  DurableWork: ["use case"],
  EventLog: ["background", "use case"],
  IdempotencyStore: ["use case"],
  IdGenerator: ["background", "use case"],
  Installation: ["use case"],
  KycSuggestions: ["use case"],
  Lender: ["background", "use case"],
  LenderThrottle: ["background"],
  LoginAttempts: ["use case"],
  PartnerRepository: ["use case"],
  PartnerTree: ["background", "use case"],
  PasswordHasher: ["use case"],
  PersonalDataHasher: ["background", "use case"],
  PersonalDataStore: ["use case"],
  PrincipalRepository: ["use case"],
  ProposalRepository: ["use case"],
  RefreshTokenRepository: ["use case"],
  RoutingRepository: ["use case"],
  SecretGenerator: ["use case"],
  SigningKeyRepository: ["use case"],
  StatusWatch: ["background", "use case"],
  StoredJobs: ["use case"],
  SubscriptionStore: ["background"],
  UnitOfWork: ["background", "use case"],
  UserRepository: ["use case"],
  WebhookRepository: ["use case"],
  WebhookSender: ["use case"]
}

/** The calls of replaced ports. */
export class SeenPorts {
  readonly #seen = new Map<string, Set<Side>>()
  readonly #methods = new Set<string>()
  readonly #replaced: Array<string> = []

  /** Returns the names of the replaced ports. */
  get replaced(): ReadonlyArray<string> {
    return this.#replaced.toSorted()
  }

  /** Returns the sides that called each port. */
  sides(): Readonly<Record<string, ReadonlyArray<Side>>> {
    return Object.fromEntries(Array.from(this.#seen, ([port, sides]) => [port, Array.from(sides).toSorted()]))
  }

  /** Returns whether a side called a method, for example `AuditLog.append`. */
  has(side: Side, method: string): boolean {
    return this.#methods.has(`${side} ${method}`)
  }

  readonly #record = (port: string, method: string) =>
    Effect.map(RequestId, (request) => {
      const side = request === null ? "background" : "use case"
      this.#seen.set(port, (this.#seen.get(port) ?? new Set()).add(side))
      this.#methods.add(`${side} ${port}.${method}`)
    })

  /** Replaces a port with one that records the call and then calls the original. */
  readonly #replacement = <Id, Port extends object>(port: Context.Service<Id, Port>): Layer.Layer<Id, never, Id> => {
    const name = port.key.slice(port.key.lastIndexOf("/") + 1)
    this.#replaced.push(name)
    const wrap = (original: Port, method: string | symbol): unknown => {
      const member: unknown = Reflect.get(original, method)
      const recorded = this.#record(name, String(method))
      if (isCall(member)) return Effect.andThen(recorded, member)
      if (typeof member !== "function") return member
      return (...args: ReadonlyArray<unknown>): unknown => {
        const result: unknown = Reflect.apply(member, original, args)
        return isCall(result) ? Effect.andThen(recorded, result) : result
      }
    }
    return Layer.effect(port, Effect.map(port, (original) => new Proxy(original, { get: wrap })))
  }

  /** Replaces every port. Does not compile if a port is missing here. */
  readonly layer: Layer.Layer<ReplaceablePorts, never, ReplaceablePorts> = Layer.mergeAll(
    this.#replacement(ApiClientRepository),
    this.#replacement(ApplicationRepository),
    this.#replacement(AuditLog),
    this.#replacement(AuditTrail),
    this.#replacement(CommissionLedger),
    this.#replacement(CommissionPlans),
    this.#replacement(CommissionSettlement),
    this.#replacement(CommissionStatements),
    this.#replacement(CommonPasswords),
    this.#replacement(DurableWork),
    this.#replacement(EventLog),
    this.#replacement(IdempotencyStore),
    this.#replacement(IdGenerator),
    this.#replacement(Installation),
    this.#replacement(KycSuggestions),
    this.#replacement(Lender),
    this.#replacement(LenderThrottle),
    this.#replacement(LoginAttempts),
    this.#replacement(PartnerRepository),
    this.#replacement(PartnerTree),
    this.#replacement(PasswordHasher),
    this.#replacement(PersonalDataHasher),
    this.#replacement(PersonalDataStore),
    this.#replacement(PrincipalRepository),
    this.#replacement(ProposalRepository),
    this.#replacement(RefreshTokenRepository),
    this.#replacement(RoutingRepository),
    this.#replacement(SecretGenerator),
    this.#replacement(SigningKeyRepository),
    this.#replacement(StatusWatch),
    this.#replacement(StoredJobs),
    this.#replacement(SubscriptionStore),
    this.#replacement(UnitOfWork),
    this.#replacement(UserRepository),
    this.#replacement(WebhookRepository),
    this.#replacement(WebhookSender)
  )
}
