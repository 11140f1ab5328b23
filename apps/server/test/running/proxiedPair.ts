import { connect, type Socket } from "node:net"

/** A proxied connection: the socket of the client and the socket of the target. */
export interface Pair {
  /** Applies the start or the end of a treatment. */
  readonly meet: (treatment: Treatment) => void
  /** Closes both sockets with a reset. */
  readonly destroy: () => void
  readonly whenClosed: (act: () => void) => void
}

/** The state of the proxy that its connections share. */
interface Shared {
  readonly treatment: () => Treatment
  readonly random: () => number
}

/** A chunk to deliver, or null for the end of the stream. */
type Item = Buffer | null

/** Delivers items in order, each at its time or later. An item with an infinite time waits for `release`. */
const makeQueue = (deliver: (item: Item) => void) => {
  const items: Array<{ readonly item: Item; at: number }> = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const drain = (): void => {
    clearTimeout(timer)
    for (let head = items[0]; head !== undefined; head = items[0]) {
      const wait = head.at - performance.now()
      if (wait > 0) {
        if (Number.isFinite(wait)) timer = setTimeout(drain, wait)
        return
      }
      items.shift()
      deliver(head.item)
    }
  }
  return {
    add: (item: Item, at: number): void => {
      items.push({ item, at })
      drain()
    },
    /** Delivers the items with an infinite time. */
    release: (): void => {
      for (const entry of items) if (entry.at === Number.POSITIVE_INFINITY) entry.at = 0
      drain()
    }
  }
}

/** Returns the milliseconds for which a treatment holds an item back. */
const delayOf = (treatment: Treatment, random: () => number): number => {
  if (treatment.kind === "STALL") return Number.POSITIVE_INFINITY
  if (treatment.kind === "DELAY") return treatment.ms
  return treatment.kind === "REORDER" ? treatment.ms * random() : 0
}

/** Connects a client to a local port and carries the bytes of both directions. */
export const connectPair = (client: Socket, port: number, { random, treatment }: Shared): Pair => {
  const target = connect({ port, host: "127.0.0.1", allowHalfOpen: true, noDelay: true })
  let isDead = false

  const destroy = (): void => {
    client.resetAndDestroy()
    target.resetAndDestroy()
  }

  /** Carries one direction and returns a function that delivers the items that are held back. */
  const carry = (from: Socket, to: Socket): () => void => {
    const { add, release } = makeQueue((item) => {
      if (isDead || to.destroyed) return
      if (item === null) to.end()
      else to.write(item)
    })
    const take = (item: Item): void => {
      const present = treatment()
      if (present.kind === "HALVE" && item !== null && random() < present.share) {
        add(item.subarray(0, item.length / 2), 0)
        to.end(destroy)
        return
      }
      add(item, performance.now() + delayOf(present, random))
    }
    from.on("data", take)
    from.on("end", () => take(null))
    from.on("error", () => take(null))
    return release
  }

  const releases = [carry(client, target), carry(target, client)]
  return {
    meet: (present) => {
      if (present.kind === "SWALLOW" && !isDead) isDead = random() < present.share
      if (present.kind !== "STALL") releases.forEach((release) => release())
    },
    destroy,
    whenClosed: (act) => {
      let open = 2
      for (const socket of [client, target]) {
        socket.once("close", () => {
          open--
          if (open === 0) act()
        })
      }
    }
  }
}

/**
 * The treatment of bytes. Bytes of one connection and direction always keep their order.
 *
 * - PASS: delivers bytes at once.
 * - SWALLOW: drops the bytes of a share of the connections, and closes nothing. Such a connection stays dead after the
 *   fault. Its end is not delivered either.
 * - STALL: holds all bytes and ends back, and delivers them after the fault.
 * - DELAY: delivers bytes and ends after a number of milliseconds, in each direction.
 * - REORDER: like DELAY, with another random delay up to a maximum for each delivery, so that connections overtake each other.
 * - HALVE: delivers half of some chunks, then closes the connection.
 * - REFUSE: closes new connections.
 */
export type Treatment =
  | { readonly kind: "PASS" | "STALL" | "REFUSE" }
  | { readonly kind: "SWALLOW" | "HALVE"; readonly share: number }
  | { readonly kind: "DELAY" | "REORDER"; readonly ms: number }
