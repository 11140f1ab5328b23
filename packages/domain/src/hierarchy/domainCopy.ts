import { Context, Layer } from "effect"

/** Identifies this copy of the package. A process that loads the package twice has two such objects. */
const thisCopy: object = Object.freeze({})

const keyPrefix = "@lastro/domain/hierarchy/domainCopy/"

const advice = "Install one version of every @lastro package, and remove the other copies with `npm dedupe`. " +
  "`npm ls @lastro/domain` lists the copies."

/**
 * Two copies of `@lastro/domain` are in use together. The results of permission and hierarchy checks in one copy are
 * not valid in the other.
 */
export class DomainCopiesMixed extends Error {
  override readonly name = "DomainCopiesMixed"
  constructor(problem: string) {
    super(`${problem} ${advice}`)
  }
}

/**
 * Marks the ports of an adapter package with the copy of `@lastro/domain` that built them. Merge it into the layers of
 * the package. Then `openLastro` refuses to open these ports with another copy.
 */
export const layerDomainCopy = (packageName: string): Layer.Layer<never> =>
  Layer.succeedContext(Context.makeUnsafe<never>(new Map([[`${keyPrefix}${packageName}`, { copy: thisCopy }]])))

/** Throws DomainCopiesMixed if a package built its ports with another copy of this package. */
export const checkDomainCopies = (ports: Context.Context<never>): void => {
  for (const [key, mark] of ports.mapUnsafe) {
    if (key.startsWith(keyPrefix) && Object(mark).copy !== thisCopy) {
      throw new DomainCopiesMixed(
        `${key.slice(keyPrefix.length)} uses another copy of @lastro/domain than the code that opens its ports.`
      )
    }
  }
}
