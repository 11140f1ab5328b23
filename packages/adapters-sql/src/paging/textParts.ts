/** Maximum length of a part, in characters. A part of this length has three trigrams. */
const length = 5

/** The distance between the starts of two parts of a word. */
const step = 2

/** The maximum number of parts of a text. */
const maxParts = 10

const partsOf = (word: string): ReadonlyArray<string> =>
  Array.from(
    { length: 1 + Math.max(0, Math.ceil((word.length - length) / step)) },
    (_, index) => word.slice(Math.min(index * step, Math.max(0, word.length - length))).slice(0, length)
  )

/**
 * Returns parts of a searched text that a trigram index can find: at most ten, each of three to five letters or digits.
 * A search for the rarest part takes a fraction of the time of a search for the whole text. The reason is that the
 * index reads all records of each trigram in the searched text. Returns none if the text has no such part.
 *
 * Only ASCII letters count, because the locale of the database determines which other letters a trigram can contain.
 */
export const textParts = (text: string): ReadonlyArray<string> => {
  const words = text.match(/[a-z0-9]{3,}/gi) ?? []
  const parts = [...new Set(words.flatMap(partsOf))]
  const every = Math.max(1, parts.length / maxParts)
  return parts.filter((_, index) => Math.floor(index / every) !== Math.floor((index - 1) / every))
}
