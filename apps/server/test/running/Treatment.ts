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
