/** What an iterable gives, some at a time. */
export function* batches<A>(all: Iterable<A>, size: number): Generator<ReadonlyArray<A>> {
  let some: Array<A> = []
  for (const one of all) {
    some.push(one)
    if (some.length === size) {
      yield some
      some = []
    }
  }
  if (some.length > 0) yield some
}
