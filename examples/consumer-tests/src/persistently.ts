/** Tries again, once, what went wrong and may be done twice. */
export const persistently = async <A>(attempt: () => Promise<A>): Promise<A> => {
  try {
    return await attempt()
  } catch {
    return attempt()
  }
}
