import { Context, type Effect } from "effect"

/** Recognizes the most common passwords and words, which attackers try first. */
export class CommonPasswords extends Context.Service<CommonPasswords, {
  /** Returns whether a password is among the most common ones, in any letter case. */
  readonly includes: (password: string) => Effect.Effect<boolean>
  /** Returns whether a folded text (PAGE-05) is a common word or name in Brazil. */
  readonly isWord: (word: string) => Effect.Effect<boolean>
}>()("@lastro/domain/identity/CommonPasswords") {}
