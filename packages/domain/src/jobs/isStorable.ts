/** Returns whether a value of an adapter is a text that the database can store and compare, of at most `maxLength` characters. */
export const isStorable = (text: unknown, maxLength: number): boolean =>
  typeof text === "string" && text.length <= maxLength && !text.includes("\0") && text.isWellFormed()
