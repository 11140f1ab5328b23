import { type Ask } from "./observe.ts"

/** A tree on a server of its own, which a history changes. The caller 0 is the administrator of the root. */
export interface Side {
  /** The ids of the partners, the root first. */
  readonly partners: ReadonlyArray<string>
  /** Sends a request as the administrator of a partner. */
  readonly ask: (partner: number) => Ask
  /** Sells a contract. Returns its id. */
  readonly accept: (seller: number, net: number) => Promise<string>
  /** Records the payment of a contract, or its reversal. */
  readonly end: (contract: string, status: "PAID" | "REFUNDED") => Promise<void>
  /** Lets days pass. */
  readonly pass: (days: number) => Promise<void>
  /** Returns the present São Paulo day. */
  readonly today: () => string
  readonly close: () => Promise<void>
}
