/** Masks all but the last four characters; of up to four characters, all but the last. */
export const maskTail = (text: string): string => {
  const characters = Array.from(text)
  const shown = characters.length > 4 ? 4 : characters.length > 1 ? 1 : 0
  return `****${characters.slice(characters.length - shown).join("")}`
}
