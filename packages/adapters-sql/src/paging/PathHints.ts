import { LruCache } from "@lastro/domain/values"
import { Context } from "effect"

/**
 * The access paths of an unfiltered list that have a statement of their own: see `selectUnfilteredKeys`. `none`: the
 * scope is empty.
 */
export const accessPaths = ["none", "whole", "walk", "merge"] as const

/** An access path of an unfiltered list. */
export type AccessPath = typeof accessPaths[number]

/**
 * The access path that the first pages of this fiber try first. `general`: the statement that contains all paths.
 * `chosen`, the default: the path that was chosen last for the scope.
 */
export const FirstPath = Context.Reference<AccessPath | "general" | "chosen">("@lastro/adapters-sql/paging/FirstPath", {
  defaultValue: () => "chosen"
})

/** For each list, the maximum number of scopes for which the access path is remembered. */
export const maxHints = 5_000

/** The number of uses of a hint after which the general statement chooses again. */
export const maxUses = 200

interface Hint {
  readonly path: AccessPath
  /** The number of records in the scope when the path was chosen. */
  readonly total: number
  /** True if this path has returned an incomplete page. */
  hasFailed: boolean
  uses: number
}

/**
 * Remembers the access path that the general statement of a list chose for each of the last scopes. A hint is never
 * part of the result: the reader verifies each page, and runs the general statement if the page is not complete. A
 * wrong, outdated or missing hint only costs time.
 */
export class PathHints {
  readonly #hints = new LruCache<string, Hint>(maxHints)

  /** Returns the path to try first. Undefined if the general statement is to choose. */
  find(scope: string): AccessPath | undefined {
    const hint = this.#hints.get(scope)
    if (hint === undefined) return undefined
    if (++hint.uses > maxUses) {
      this.#hints.delete(scope)
      return undefined
    }
    return hint.hasFailed ? undefined : hint.path
  }

  /** Remembers the path that the general statement chose for a scope, unless the same path has already failed there. */
  choose(scope: string, path: AccessPath, total: number): void {
    const hint = this.#hints.get(scope)
    if (hint?.hasFailed === true && hint.path === path) return
    this.#hints.set(scope, { path, total, hasFailed: false, uses: 0 })
  }

  /** Forgets the path of a scope if the number of its records has halved or doubled since. */
  reportSuccess(scope: string, total: number): void {
    const hint = this.#hints.get(scope)
    if (hint !== undefined && (total > 2 * hint.total || 2 * total < hint.total)) this.#hints.delete(scope)
  }

  /** Leaves the choice to the general statement. */
  reportFailure(scope: string): void {
    const hint = this.#hints.get(scope)
    if (hint !== undefined) hint.hasFailed = true
  }
}
