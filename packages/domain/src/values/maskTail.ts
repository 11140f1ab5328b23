/** A completely masked text. It does not reveal the length. */
export const maskedCompletely = "****"

/** Masks all characters of a text except the last four. A text of four or fewer characters is masked completely. */
export const maskTail = (text: string): string => {
  const characters = Array.from(text)
  return characters.length > 4 ? `${maskedCompletely}${characters.slice(-4).join("")}` : maskedCompletely
}
