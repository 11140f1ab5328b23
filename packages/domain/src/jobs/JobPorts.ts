import { Context, Effect, Layer, Option } from "effect"
import { AuditLog } from "../audit/AuditLog.ts"
import { CommissionLedger } from "../commission/CommissionLedger.ts"
import { EventLog } from "../event/EventLog.ts"
import { Lender } from "../lender/Lender.ts"
import { LenderThrottle } from "../lender/LenderThrottle.ts"
import { RoutingRepository } from "../lender/RoutingRepository.ts"
import { ApplicationRepository } from "../origination/ApplicationRepository.ts"
import { DurableWork } from "../origination/DurableWork.ts"
import { IdGenerator } from "../ports/generators.ts"
import { StatusWatch } from "../ports/StatusWatch.ts"
import { UnitOfWork } from "../ports/UnitOfWork.ts"
import { WebhookSender } from "../webhook/WebhookSender.ts"
import { type runJob } from "./runJob.ts"

/** The ports that durable jobs use. */
export type JobPorts = Effect.Services<ReturnType<typeof runJob>>

/** The keys of {@link JobPorts}. {@link layerJobPorts} does not compile if one is missing here. */
const jobPorts = [
  ApplicationRepository,
  AuditLog,
  CommissionLedger,
  DurableWork,
  EventLog,
  IdGenerator,
  Lender,
  LenderThrottle,
  RoutingRepository,
  StatusWatch,
  UnitOfWork
] as const

/**
 * The ports of the jobs of this process. Null if it runs no jobs. Only {@link ensureJobPorts} reads it. To replace a
 * port for the use cases only, turn off this check: merge `Layer.succeed(PortsOfJobs, null)` into the layer that
 * replaces the port.
 */
export const PortsOfJobs = Context.Reference<Context.Context<JobPorts> | null>(
  "@lastro/domain/jobs/JobPorts/PortsOfJobs",
  { defaultValue: () => null }
)

/**
 * Records the ports of a worker for {@link ensureJobPorts}. Merge it into the layer of the worker. With several workers
 * in one layer, the last one counts.
 */
export const layerJobPorts: Layer.Layer<never, never, JobPorts> = Layer.fresh(
  Layer.effect(
    PortsOfJobs,
    Effect.zipWith(Effect.context<JobPorts>(), Effect.serviceOption(WebhookSender), (ports, sender) => {
      const picked = Context.pick(...jobPorts)(ports)
      return Option.isNone(sender) ? picked : Context.add(picked, WebhookSender, sender.value)
    })
  )
)

/** A port was replaced in a layer above the worker. The durable jobs would still use the original port. */
export class PortReplacedAboveJobs extends Error {
  override readonly name = "PortReplacedAboveJobs"
  /** The names of the ports. */
  readonly ports: ReadonlyArray<string>
  constructor(ports: ReadonlyArray<string>) {
    super(
      `Durable jobs would not use your ${
        ports.join(", ")
      }, because it is provided above the layer that runs the jobs. ` +
        "Pass it as the option `replace` of that layer."
    )
    this.ports = ports
  }
}

/**
 * The ports that use cases, jobs and webhook deliveries must share. IdGenerators can differ, because the ids of all of
 * them are unique.
 */
const sharedPorts = [...jobPorts.filter((port) => port !== IdGenerator), WebhookSender]

const nameOf = (key: string): string => key.slice(key.lastIndexOf("/") + 1)

/**
 * Dies with {@link PortReplacedAboveJobs} if the surrounding ports differ from those of the durable jobs. `openLastro`
 * and `mountApi` run this check. Succeeds if this process runs no jobs.
 */
export const ensureJobPorts: Effect.Effect<void> = Effect.flatMap(Effect.context<never>(), (ports) => {
  const used = Context.get(ports, PortsOfJobs)
  if (used === null) return Effect.void
  const replaced = sharedPorts.filter(({ key }) =>
    ports.mapUnsafe.has(key) && used.mapUnsafe.has(key) && ports.mapUnsafe.get(key) !== used.mapUnsafe.get(key)
  )
  return replaced.length === 0
    ? Effect.void
    : Effect.die(new PortReplacedAboveJobs(replaced.map(({ key }) => nameOf(key))))
})
