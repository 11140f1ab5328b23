/** Masks all characters of a text except the last four. If the text has four or fewer characters, only the last is shown. */
export const maskTail = (text: string): string => {
  const characters = Array.from(text)
  const shown = characters.length > 4 ? 4 : characters.length > 1 ? 1 : 0
  return `****${characters.slice(characters.length - shown).join("")}`
}
