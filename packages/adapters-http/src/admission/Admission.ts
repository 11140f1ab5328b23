import { type AdmissionMeter } from "./AdmissionMeter.ts"
import { type AdmissionLimits, AdmissionQueue, type AdmissionRefusal, type Decision } from "./AdmissionQueue.ts"
import { type Slot } from "./Slot.ts"
import { type Entry } from "./WaitingLine.ts"

/** The interval in milliseconds at which waiting requests are checked for their maximum wait. */
const expiryInterval = 100

type State = "waiting" | "running" | "paused" | "ended"

/** A request that waits, runs or is paused, with the functions to call when its state changes. */
interface Ticket extends Entry {
  state: State
  onAdmitted: () => void
  onRefused: (reason: AdmissionRefusal) => void
  onIdentified: (caller: string) => void
}

const nothing = (): void => undefined

/**
 * Ends a ticket. Releases its request, because V8 may keep an element that was removed from a `Set` until the next
 * major garbage collection.
 */
const end = (ticket: Ticket): void => {
  ticket.state = "ended"
  ticket.onAdmitted = ticket.onRefused = ticket.onIdentified = nothing
}

/** A request that needs a slot. */
export interface Arriving extends Pick<Entry, "kind" | "caller"> {
  /** True for a read of one record by its id. Such a read has a slot of its own kind. */
  readonly isLookup: boolean
  /** Called with the key of the verified caller, once it is known. */
  readonly onIdentified: (caller: string) => void
}

/**
 * Admits requests to a limited number of slots. A waiting request occupies memory, but no slot. Reads of one record by
 * its id have slots and a queue of their own.
 */
export class Admission {
  readonly #queue: AdmissionQueue<Ticket>
  readonly #lookups: AdmissionQueue<Ticket>
  readonly #meter: AdmissionMeter
  #expiry: NodeJS.Timeout | undefined

  constructor(limits: AdmissionLimits, lookups: AdmissionLimits, meter: AdmissionMeter) {
    this.#queue = new AdmissionQueue(limits)
    this.#lookups = new AdmissionQueue(lookups)
    this.#meter = meter
  }

  /**
   * Calls `onAdmitted` when the request gets a slot, or `onRefused` if it gets none. If the queue can decide at once,
   * it calls the function before this method returns.
   */
  enter(
    { isLookup, ...arriving }: Arriving,
    onAdmitted: (slot: Slot) => void,
    onRefused: (reason: AdmissionRefusal) => void
  ): Slot {
    const ticket: Ticket = {
      ...arriving,
      at: performance.now(),
      state: "waiting",
      onAdmitted: () => onAdmitted(slot),
      onRefused
    }
    const queue = isLookup ? this.#lookups : this.#queue
    const slot = this.#slotOf(ticket, queue)
    this.#apply(queue.arrive(ticket), ticket)
    return slot
  }

  #slotOf(ticket: Ticket, queue: AdmissionQueue<Ticket>): Slot {
    let isClaimed = false
    const admitted = ticket.onAdmitted
    ticket.onAdmitted = () => {
      slot.waited = performance.now() - ticket.at
      admitted()
    }
    const leave = (state: "paused" | "ended"): void => {
      const before = ticket.state
      if (before === "ended") return
      if (state === "ended") end(ticket)
      else ticket.state = state
      if (before !== "paused") this.#apply(queue.end(ticket))
    }
    // Not a getter: V8 makes a hidden class for each object literal with a getter, which keeps the request in memory
    // until the next major garbage collection.
    const slot: Slot & { waited: number } = {
      waited: 0,
      claim: () => {
        isClaimed = true
      },
      isClaimed: () => isClaimed,
      release: () => leave("ended"),
      pause: () => leave("paused"),
      resume: (onAdmitted) => {
        if (ticket.state !== "paused") return onAdmitted()
        ticket.state = "waiting"
        ticket.onAdmitted = onAdmitted
        this.#apply(queue.resume(ticket), ticket)
      },
      identify: (caller) => {
        this.#apply(queue.identify(ticket, caller))
        ticket.onIdentified(caller)
        return queue.exceedsShare(ticket)
      }
    }
    return slot
  }

  /**
   * Carries out a decision of the queue. The request `current` continues at once. Other requests continue in a
   * microtask, so that calls do not nest.
   */
  #apply({ admitted, refused }: Decision<Ticket>, current?: Ticket): void {
    for (const ticket of admitted) ticket.state = "running"
    for (const { entry, reason } of refused) {
      const { onRefused } = entry
      end(entry)
      this.#meter.refused(reason)
      onRefused(reason)
    }
    this.#meter.queued("read", this.#queue.waiting("read") + this.#lookups.waiting("read"))
    this.#meter.queued("write", this.#queue.waiting("write"))
    this.#scheduleExpiry()
    for (const ticket of admitted) {
      if (ticket === current) ticket.onAdmitted()
      else {
        queueMicrotask(() => {
          if (ticket.state === "running") ticket.onAdmitted()
        })
      }
    }
  }

  #scheduleExpiry(): void {
    const queues = [this.#queue, this.#lookups]
    const isIdle = queues.every((queue) => queue.waiting("read") + queue.waiting("write") === 0)
    if (this.#expiry !== undefined || isIdle) return
    this.#expiry = setTimeout(() => {
      this.#expiry = undefined
      for (const queue of queues) this.#apply(queue.expire(performance.now()))
    }, expiryInterval)
  }
}
