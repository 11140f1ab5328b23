/** Returns whether a text of the form `YYYY-MM-DD` is an existing day. `Date.parse` alone accepts 30 February as a day in March. */
export const isDay = (text: string): boolean => {
  const midnight = new Date(`${text}T00:00:00.000Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text)
}
