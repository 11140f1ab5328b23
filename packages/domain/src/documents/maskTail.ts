/** A long identifier with all but its last four characters hidden, or all but the last one when it has no more than four. */
export const maskTail = (text: string): string => {
  const characters = Array.from(text)
  const shown = characters.length > 4 ? 4 : characters.length > 1 ? 1 : 0
  return `****${characters.slice(characters.length - shown).join("")}`
}
