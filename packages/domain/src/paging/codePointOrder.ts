import type { Order } from "effect"

/**
 * Texts are ordered by their Unicode code points, the shorter first where one begins with the other.
 *
 * This is the order of PostgreSQL's collation "C" on UTF-8. JavaScript's `<` compares UTF-16 code units instead, which
 * puts U+10000 and above before U+E000 to U+FFFF.
 * @rule PAGE-07
 */
export const codePointOrder: Order.Order<string> = (self, that) => {
  const length = Math.min(self.length, that.length)
  let index = 0
  while (index < length && self.charCodeAt(index) === that.charCodeAt(index)) index++
  if (index === length) return ascending(self.length, that.length)
  // What is common may end within a surrogate pair: the code points that begin one unit earlier then differ already.
  const start = Math.max(index - 1, 0)
  return ascending(self.codePointAt(start) ?? 0, that.codePointAt(start) ?? 0)
    || ascending(self.codePointAt(index) ?? 0, that.codePointAt(index) ?? 0)
}

const ascending = (one: number, other: number): -1 | 0 | 1 => one < other ? -1 : one > other ? 1 : 0
