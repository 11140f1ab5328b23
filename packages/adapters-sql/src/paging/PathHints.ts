import { LruCache } from "@lastro/domain/values"
import { Context } from "effect"

/**
 * The ways to read the first page of an unfiltered list, each with its own statement (see `selectUnfilteredKeys`).
 * `none`: the scope is empty.
 */
export const accessPaths = ["none", "whole", "walk", "merge"] as const

export type AccessPath = typeof accessPaths[number]

/**
 * The access path that this fiber tries first for a first page. `general`: the statement with all paths. `chosen`: the
 * path that was chosen last for the scope. Default: `chosen`.
 */
export const FirstPath = Context.Reference<AccessPath | "general" | "chosen">("@lastro/adapters-sql/paging/FirstPath", {
  defaultValue: () => "chosen"
})

/** Maximum number of scopes per list whose access path is remembered. */
export const maxHints = 5_000

/** Number of uses of a remembered path after which the general statement chooses again. */
export const maxUses = 200

interface Hint {
  readonly path: AccessPath
  /** Number of records in the scope when the path was chosen. */
  readonly total: number
  /** True if this path has returned an incomplete page. */
  hasFailed: boolean
  uses: number
}

/**
 * Remembers which access path the general statement chose for each of the latest scopes of a list. A remembered path
 * never affects the result: the reader checks that each page is complete, and otherwise runs the general statement. A
 * wrong, outdated or missing entry only costs time.
 */
export class PathHints {
  readonly #hints = new LruCache<string, Hint>(maxHints)

  /** Returns the path to try first. Undefined if the general statement should choose. */
  find(scope: string): AccessPath | undefined {
    const hint = this.#hints.get(scope)
    if (hint === undefined) return undefined
    if (++hint.uses > maxUses) {
      this.#hints.delete(scope)
      return undefined
    }
    return hint.hasFailed ? undefined : hint.path
  }

  /** Remembers the path that the general statement chose for a scope, unless this path has failed there. */
  choose(scope: string, path: AccessPath, total: number): void {
    const hint = this.#hints.get(scope)
    if (hint?.hasFailed === true && hint.path === path) return
    this.#hints.set(scope, { path, total, hasFailed: false, uses: 0 })
  }

  /**
   * Records a complete page. Forgets the path of a scope whose number of records has halved or doubled since the
   * choice.
   */
  reportSuccess(scope: string, total: number): void {
    const hint = this.#hints.get(scope)
    if (hint !== undefined && (total > 2 * hint.total || 2 * total < hint.total)) this.#hints.delete(scope)
  }

  /** Records an incomplete page. The general statement chooses the next path. */
  reportFailure(scope: string): void {
    const hint = this.#hints.get(scope)
    if (hint !== undefined) hint.hasFailed = true
  }
}
