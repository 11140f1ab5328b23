const base = 36
const tMin = 1
const tMax = 26
const skew = 38
const damp = 700

/** Returns the character of a base-36 digit: a to z for 0 to 25, and 0 to 9 for 26 to 35. */
const digitOf = (value: number): string => String.fromCharCode(value < 26 ? value + 97 : value + 22)

const adapt = (delta: number, points: number, isFirst: boolean): number => {
  let rest = isFirst ? Math.floor(delta / damp) : Math.floor(delta / 2)
  rest += Math.floor(rest / points)
  let k = 0
  for (; rest > Math.floor(((base - tMin) * tMax) / 2); k += base) rest = Math.floor(rest / (base - tMin))
  return k + Math.floor(((base - tMin + 1) * rest) / (rest + skew))
}

/** Encodes a number as a variable-length integer (RFC 3492 §3.3). */
const encodeDelta = (delta: number, bias: number): string => {
  let text = ""
  let rest = delta
  for (let k = base;; k += base) {
    const threshold = k <= bias ? tMin : k >= bias + tMax ? tMax : k - bias
    if (rest < threshold) return text + digitOf(rest)
    text += digitOf(threshold + ((rest - threshold) % (base - threshold)))
    rest = Math.floor((rest - threshold) / (base - threshold))
  }
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
