import { type AdmissionMeter } from "./AdmissionMeter.ts"
import { type AdmissionLimits, AdmissionQueue, type Decision } from "./AdmissionQueue.ts"
import { type Slot } from "./Slot.ts"
import { type Entry } from "./WaitingLine.ts"

/** Milliseconds between two checks for requests that have waited too long. */
const expiryInterval = 100

type State = "waiting" | "running" | "paused" | "ended"

const nothing = (): void => undefined

/** A request that needs a slot. */
export interface Arriving extends Pick<Entry, "kind" | "caller"> {
  /** The slots of the request. `lookups`: reads of one record by its id. `pages`: first pages of lists. */
  readonly uses: "lookups" | "pages" | "others"
  /** Called with the key of the caller, after its token was verified. */
  readonly onIdentified: (caller: string) => void
}

/** Applies a decision of the queue. */
type Apply = (decision: Decision<Ticket>, current?: Ticket) => void

/** A request in the queue, with the callbacks for a change of its state. It is also its own slot. */
class Ticket implements Entry, Slot {
  readonly kind: Entry["kind"]
  caller: string
  readonly at = performance.now()
  waited = 0
  state: State = "waiting"
  #isClaimed = false
  #onAdmitted: (slot: Slot) => void
  #onRefused: () => void
  #onIdentified: (caller: string) => void
  readonly #queue: AdmissionQueue<Ticket>
  readonly #apply: Apply

  constructor(
    { caller, kind, onIdentified }: Arriving,
    onAdmitted: (slot: Slot) => void,
    onRefused: () => void,
    queue: AdmissionQueue<Ticket>,
    apply: Apply
  ) {
    this.kind = kind
    this.caller = caller
    this.#onAdmitted = onAdmitted
    this.#onRefused = onRefused
    this.#onIdentified = onIdentified
    this.#queue = queue
    this.#apply = apply
  }

  claim(): void {
    this.#isClaimed = true
  }

  isClaimed(): boolean {
    return this.#isClaimed
  }

  release(): void {
    this.#leave("ended")
  }

  pause(): void {
    this.#leave("paused")
  }

  resume(onAdmitted: () => void): void {
    if (this.state !== "paused") return onAdmitted()
    this.state = "waiting"
    this.#onAdmitted = onAdmitted
    this.#apply(this.#queue.resume(this), this)
  }

  identify(caller: string): boolean {
    if (caller !== this.caller) this.#apply(this.#queue.identify(this, caller))
    this.#onIdentified(caller)
    return this.#queue.exceedsShare(this)
  }

  /** Starts or continues the request, because it has a slot now. */
  admit(): void {
    this.waited = performance.now() - this.at
    this.#onAdmitted(this)
  }

  refuse(): void {
    const onRefused = this.#onRefused
    this.#end()
    onRefused()
  }

  #leave(state: "paused" | "ended"): void {
    const before = this.state
    if (before === "ended") return
    if (state === "ended") this.#end()
    else this.state = state
    if (before !== "paused") this.#apply(this.#queue.end(this))
  }

  /**
   * Drops the callbacks, which refer to the request. V8 may keep a removed element of a `Set`, such as this ticket,
   * until the next major garbage collection.
   */
  #end(): void {
    this.state = "ended"
    this.#onAdmitted = this.#onRefused = this.#onIdentified = nothing
  }
}

/** Gives requests a limited number of slots. Each kind of {@link Arriving.uses} has its own slots and queue. */
export class Admission {
  readonly #queues: Readonly<Record<Arriving["uses"], AdmissionQueue<Ticket>>>
  readonly #meter: AdmissionMeter
  #expiry: NodeJS.Timeout | undefined

  constructor(limits: AdmissionLimits, lookups: AdmissionLimits, meter: AdmissionMeter) {
    this.#queues = {
      lookups: new AdmissionQueue(lookups),
      pages: new AdmissionQueue(lookups),
      others: new AdmissionQueue(limits)
    }
    this.#meter = meter
  }

  /** Calls `onAdmitted` when the request gets a slot, or `onRefused` if it gets none, possibly before it returns. */
  enter(arriving: Arriving, onAdmitted: (slot: Slot) => void, onRefused: () => void): Slot {
    const queue = this.#queues[arriving.uses]
    const ticket = new Ticket(arriving, onAdmitted, onRefused, queue, this.#apply)
    this.#apply(queue.arrive(ticket), ticket)
    return ticket
  }

  /** The request `current` continues at once. Other requests continue in a microtask, so that calls do not nest. */
  readonly #apply: Apply = ({ admitted, refused }, current) => {
    for (const ticket of admitted) ticket.state = "running"
    for (const { entry, reason } of refused) {
      this.#meter.refused(reason)
      entry.refuse()
    }
    const { lookups, others, pages } = this.#queues
    const reads = lookups.waiting("read") + pages.waiting("read") + others.waiting("read")
    const writes = others.waiting("write")
    this.#meter.queued("read", reads)
    this.#meter.queued("write", writes)
    if (reads + writes > 0) this.#scheduleExpiry()
    for (const ticket of admitted) {
      if (ticket === current) ticket.admit()
      else {
        queueMicrotask(() => {
          if (ticket.state === "running") ticket.admit()
        })
      }
    }
  }

  #scheduleExpiry(): void {
    if (this.#expiry !== undefined) return
    this.#expiry = setTimeout(() => {
      this.#expiry = undefined
      for (const queue of Object.values(this.#queues)) this.#apply(queue.expire(performance.now()))
    }, expiryInterval)
  }
}
