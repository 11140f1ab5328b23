/** Mixes a text into a number of 32 bits (FNV-1a). */
export const textHash = (text: string): number => {
  let mixed = 0x811c9dc5
  for (let index = 0; index < text.length; index++) mixed = Math.imul(mixed ^ text.charCodeAt(index), 0x01000193)
  return mixed >>> 0
}
