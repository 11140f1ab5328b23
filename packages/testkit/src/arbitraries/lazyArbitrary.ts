import * as fc from "fast-check"

/** Delegates to an arbitrary that it builds at its first use. */
class LazyArbitrary<A> extends fc.Arbitrary<A> {
  readonly #build: () => fc.Arbitrary<A>
  #built: fc.Arbitrary<A> | undefined

  constructor(build: () => fc.Arbitrary<A>) {
    super()
    this.#build = build
  }

  get #arbitrary(): fc.Arbitrary<A> {
    return this.#built ??= this.#build()
  }

  generate(random: fc.Random, biasFactor: number | undefined): fc.Value<A> {
    return this.#arbitrary.generate(random, biasFactor)
  }

  canShrinkWithoutContext(value: unknown): value is A {
    return this.#arbitrary.canShrinkWithoutContext(value)
  }

  shrink(value: A, context: unknown): fc.Stream<fc.Value<A>> {
    return this.#arbitrary.shrink(value, context)
  }
}

/**
 * Defers the construction of an arbitrary. Building a string arbitrary of many units takes fast-check up to a second, so modules do not build
 * one while they are imported.
 */
export const lazyArbitrary = <A>(build: () => fc.Arbitrary<A>): fc.Arbitrary<A> => new LazyArbitrary(build)
