import { Effect, Result } from "effect"
import { type FieldProblem, fieldProblem, type Problem, problem } from "../input/FieldProblem.ts"
import { foldText } from "../input/fold.ts"
import { CommonPasswords } from "./CommonPasswords.ts"
import { parsePassword } from "./Password.ts"

/** Facts about a new password. */
export interface PasswordFacts {
  /** True if the password is among the most common ones. */
  readonly isCommon: boolean
  /** The name and e-mail address of the user. */
  readonly personal: ReadonlyArray<string>
}

/** Returns the letters and digits between the first and the last letter of a text, without letter case and accents. */
const coreOf = (text: string): string =>
  foldText(text).replace(/^[^\p{L}]+/u, "").replace(/[^\p{L}]+$/u, "").replace(/[^\p{L}\p{N}]/gu, "")

const isSame = (password: string, word: string): boolean =>
  (foldText(word) !== "" && foldText(password) === foldText(word)) ||
  (coreOf(word) !== "" && coreOf(password) === coreOf(word))

/**
 * A new password must be hard to guess. It is refused as GUESSABLE if it is one of the most common passwords, one
 * repeated character, or the name, the e-mail address or the local part of the e-mail address of the user. The
 * comparison with the user's name and address ignores letter case, accents, blanks, punctuation, and digits at the
 * start or the end.
 * @rule AUTH-18
 */
export const judgePassword = (
  password: string,
  { isCommon, personal }: PasswordFacts
): Result.Result<void, Problem> => {
  const words = personal.flatMap((text) => [text, text.slice(0, Math.max(0, text.lastIndexOf("@")))])
  return isCommon
    ? Result.fail(problem("GUESSABLE", { reason: "COMMON" }))
    : new Set(password).size === 1
    ? Result.fail(problem("GUESSABLE", { reason: "REPEATED" }))
    : words.some((word) => isSame(password, word))
    ? Result.fail(problem("GUESSABLE", { reason: "PERSONAL" }))
    : Result.void
}

/**
 * Maximum length of a name or e-mail address that a password is compared with. Longer texts are ignored, because they
 * are invalid anyway.
 */
const maxPersonalLength = 320

/**
 * Applies {@link judgePassword} to an untrusted new password. `personal` holds untrusted names and e-mail addresses.
 * Accepts any value that is not a valid password, because the parser of passwords reports it.
 */
export const judgeNewPassword = Effect.fnUntraced(function*(
  untrusted: unknown,
  path: string,
  personal: ReadonlyArray<unknown>
): Effect.fn.Return<Result.Result<void, FieldProblem>, never, CommonPasswords> {
  const parsed = typeof untrusted === "string" ? Result.getSuccess(parsePassword(untrusted)) : undefined
  if (parsed === undefined || parsed._tag === "None") return Result.void
  const verdict = judgePassword(parsed.value, {
    isCommon: yield* (yield* CommonPasswords).includes(parsed.value),
    personal: personal.filter((text) => typeof text === "string").filter((text) => text.length <= maxPersonalLength)
  })
  return Result.mapError(verdict, (found) => fieldProblem(path, found))
})
