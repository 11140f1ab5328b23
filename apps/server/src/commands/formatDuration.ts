const units = [["d", 86_400], ["h", 3_600], ["min", 60], ["s", 1]] as const

/** Formats a duration in milliseconds with its largest unit: `3 d`, `5 h`, `12 min` or `40 s`. */
export const formatDuration = (ms: number): string => {
  const seconds = Math.max(Math.floor(ms / 1_000), 0)
  const [unit, size] = units.find(([, size]) => seconds >= size) ?? ["s", 1]
  return `${Math.floor(seconds / size)} ${unit}`
}
