/** The indexes of instants from the earliest to the latest; of equals the lower index comes first. */
export const inOrder = (instants: Float64Array): Uint32Array =>
  Uint32Array.from(instants.keys()).toSorted((one, other) =>
    (instants[one] ?? 0) - (instants[other] ?? 0) || one - other
  )
