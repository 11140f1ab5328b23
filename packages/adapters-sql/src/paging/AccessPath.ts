import { Context } from "effect"

/**
 * The access paths of an unfiltered list that have a statement of their own: see `selectUnfilteredKeys`. `none`: the
 * scope is empty.
 */
export const accessPaths = ["none", "whole", "walk", "merge"] as const

/** An access path of an unfiltered list. */
export type AccessPath = typeof accessPaths[number]

/**
 * The access path that each first page of the fiber tries first, whatever its scope, or `general` for the statement
 * that contains all paths. Default: the path that was chosen last for the scope.
 */
export const FirstPath = Context.Reference<AccessPath | "general" | "chosen">("@lastro/adapters-sql/paging/FirstPath", {
  defaultValue: () => "chosen"
})
