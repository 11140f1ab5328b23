// The parameters of Punycode (RFC 3492 §5).
const base = 36
const tMin = 1
const tMax = 26
const skew = 38
const damp = 700

/** Returns the character of a base-36 digit: a to z for 0 to 25, and 0 to 9 for 26 to 35. */
const digitOf = (value: number): string => String.fromCharCode(value < 26 ? value + 97 : value + 22)

/** Returns the bias after a delta (RFC 3492 §6.1). */
const adapt = (delta: number, points: number, isFirst: boolean): number => {
  let rest = isFirst ? Math.floor(delta / damp) : Math.floor(delta / 2)
  rest += Math.floor(rest / points)
  let k = 0
  for (; rest > Math.floor(((base - tMin) * tMax) / 2); k += base) rest = Math.floor(rest / (base - tMin))
  return k + Math.floor(((base - tMin + 1) * rest) / (rest + skew))
}

/** Returns the threshold of the place `k` (RFC 3492 §3.3). A smaller digit is the last digit of its integer. */
const thresholdAt = (k: number, bias: number): number => Math.min(Math.max(k - bias, tMin), tMax)

/** Encodes a number as a variable-length integer (RFC 3492 §3.3). */
const encodeDelta = (delta: number, bias: number): string => {
  let text = ""
  let rest = delta
  for (let k = base;; k += base) {
    const threshold = thresholdAt(k, bias)
    if (rest < threshold) return text + digitOf(rest)
    text += digitOf(threshold + ((rest - threshold) % (base - threshold)))
    rest = Math.floor((rest - threshold) / (base - threshold))
  }
}

/** Returns the value of a base-36 digit in lower case, or NaN for any other character. */
const valueOf = (digit: string | undefined): number =>
  digit !== undefined && /^[a-z0-9]$/.test(digit) ? (parseInt(digit, 36) + 26) % 36 : NaN

const isPoint = (value: number): boolean => value <= 0x10ffff && !(value >= 0xd800 && value <= 0xdfff)

/** Decodes a text with Punycode (RFC 3492 §6.2), in lower case and without the prefix `xn--`. Undefined if malformed. */
export const decodePunycode = (text: string): string | undefined => {
  const basic = text.lastIndexOf("-")
  const points = Array.from(text.slice(0, Math.max(basic, 0)), (character) => character.codePointAt(0) ?? 0)
  let [next, bias, position] = [128, 72, 0]
  for (let read = basic > 0 ? basic + 1 : 0; read < text.length;) {
    const before = position
    for (let [k, weight] = [base, 1];; k += base) {
      const digit = valueOf(text[read++])
      position += digit * weight
      if (!(position <= Number.MAX_SAFE_INTEGER)) return undefined
      const threshold = thresholdAt(k, bias)
      if (digit < threshold) break
      weight *= base - threshold
    }
    const count = points.length + 1
    bias = adapt(position - before, count, before === 0)
    next += Math.floor(position / count)
    position %= count
    if (!isPoint(next)) return undefined
    points.splice(position++, 0, next)
  }
  return String.fromCodePoint(...points)
}

/** Encodes a text with Punycode (RFC 3492 §6.3), without the prefix `xn--`. */
export const encodePunycode = (text: string): string => {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0)
  const basic = points.filter((point) => point < 128)
  let encoded = basic.length === 0 ? "" : `${String.fromCharCode(...basic)}-`
  let [next, delta, bias, handled] = [128, 0, 72, basic.length]
  while (handled < points.length) {
    const lowest = next
    const following = Math.min(...points.filter((point) => point >= lowest))
    delta += (following - next) * (handled + 1)
    next = following
    for (const point of points) {
      if (point < next) delta++
      if (point !== next) continue
      encoded += encodeDelta(delta, bias)
      bias = adapt(delta, handled + 1, handled === basic.length)
      delta = 0
      handled++
    }
    delta++
    next++
  }
  return encoded
}
