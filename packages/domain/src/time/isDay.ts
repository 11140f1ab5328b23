/**
 * Whether a text of the form `YYYY-MM-DD` names a day that exists. `Date.parse` alone takes the 30th of February for a day in
 * March.
 */
export const isDay = (text: string): boolean => {
  const midnight = new Date(`${text}T00:00:00.000Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text)
}
