import { Effect, Result } from "effect"
import { type FieldProblem, fieldProblem, type Problem, problem } from "../input/FieldProblem.ts"
import { foldText } from "../input/fold.ts"
import { CommonPasswords } from "./CommonPasswords.ts"
import { parsePassword } from "./Password.ts"

/** Facts about a new password. */
export interface PasswordFacts {
  /** True if the password is among the most common ones, or one of its {@link candidateWords} is a common word or name. */
  readonly isCommon: boolean
  /** The name, e-mail address and CPF of the user. */
  readonly personal: ReadonlyArray<string>
}

/** The digits and symbols that people write instead of a letter. */
const lookalikes: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "8": "b",
  "@": "a",
  $: "s",
  "!": "i"
}

const isLetter = (character: string): boolean => /\p{L}/u.test(character)

/** The shortest and the longest word that is looked up. */
const wordLength = { min: 3, max: 20 }

/**
 * Returns the words that a password may consist of, with nothing but digits and symbols before and after them. Letter
 * case and accents are ignored, and digits and symbols that look like a letter count as this letter: `S3nh@1234567` and
 * `Mudar@123456` consist of a word. A password of several words has none.
 */
const candidateWords = (password: string): ReadonlyArray<string> => {
  const characters = Array.from(foldText(password))
  const first = characters.findIndex(isLetter)
  const last = characters.findLastIndex(isLetter)
  if (first < 0) return []
  const read = characters.map((character) => lookalikes[character] ?? character)
  const words = new Set<string>()
  for (let start = Math.max(0, first - 2); start <= first; start++) {
    for (let end = last + 1; end <= Math.min(characters.length, last + 3); end++) {
      const length = end - start
      if (length < wordLength.min || length > wordLength.max) continue
      words.add(characters.slice(start, end).join("")).add(read.slice(start, end).join(""))
    }
  }
  return Array.from(words)
}

/** Returns the letters and digits between the first and the last letter of a text, without letter case and accents. */
const coreOf = (text: string): string =>
  foldText(text).replace(/^[^\p{L}]+/u, "").replace(/[^\p{L}]+$/u, "").replace(/[^\p{L}\p{N}]/gu, "")

const isSame = (password: string, word: string): boolean =>
  (foldText(word) !== "" && foldText(password) === foldText(word)) ||
  (coreOf(word) !== "" && coreOf(password) === coreOf(word))

/** Returns the parts of a name or address that have at least three letters, without letter case and accents. */
const partsOf = (text: string): ReadonlyArray<string> =>
  foldText(text).split(/[^\p{L}]+/u).filter((part) => part.length >= 3)

/** Returns whether the letters of a password are parts of the user's names and addresses, and nothing else. */
const hasOnlyParts = (password: string, personal: ReadonlyArray<string>): boolean => {
  const parts = Array.from(new Set(personal.flatMap(partsOf))).toSorted((one, other) => other.length - one.length)
  const letters = foldText(password).replace(/[^\p{L}]/gu, "")
  return letters !== "" && parts.reduce((rest, part) => rest.replaceAll(part, ""), letters) === ""
}

const digitsOf = (text: string): string => text.replace(/\D/g, "")

/** Returns whether a password contains all digits of a personal number, such as the CPF. */
const containsNumber = (password: string, text: string): boolean =>
  /^[\d.\-/]+$/.test(text) && digitsOf(text).length >= 8 && digitsOf(password).includes(digitsOf(text))

/** A unit of up to eight characters that is repeated to the end. */
const repeated = /^(.{1,8})\1+$/su

/**
 * A new password must be hard to guess. It is refused as GUESSABLE if it is one of the most common passwords, a common
 * word or name with only digits and symbols around it, a short unit that is repeated, or consists of the name, the
 * e-mail address or parts of them, or contains the CPF of the user. The comparison with words, names and addresses
 * ignores letter case, accents, blanks, punctuation, and digits at the start or the end.
 * @rule AUTH-18
 */
export const judgePassword = (
  password: string,
  { isCommon, personal }: PasswordFacts
): Result.Result<void, Problem> => {
  const words = personal.flatMap((text) => [text, text.slice(0, Math.max(0, text.lastIndexOf("@")))])
  return isCommon
    ? Result.fail(problem("GUESSABLE", { reason: "COMMON" }))
    : repeated.test(password)
    ? Result.fail(problem("GUESSABLE", { reason: "REPEATED" }))
    : words.some((word) => isSame(password, word) || containsNumber(password, word)) || hasOnlyParts(password, personal)
    ? Result.fail(problem("GUESSABLE", { reason: "PERSONAL" }))
    : Result.void
}

/** Returns whether a password is among the most common ones, or is a common word with digits and symbols around it. */
export const isCommonPassword = Effect.fnUntraced(function*(password: string) {
  const { includes, isWord } = yield* CommonPasswords
  if (yield* includes(password)) return true
  for (const word of candidateWords(password)) if (yield* isWord(word)) return true
  return false
})

/**
 * Maximum length of a text that a password is compared with. Longer texts are ignored, because they
 * are invalid anyway.
 */
const maxPersonalLength = 320

/**
 * Applies {@link judgePassword} to an untrusted new password. `personal` holds untrusted names, e-mail addresses and CPFs.
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
    isCommon: yield* isCommonPassword(parsed.value),
    personal: personal.filter((text) => typeof text === "string").filter((text) => text.length <= maxPersonalLength)
  })
  return Result.mapError(verdict, (found) => fieldProblem(path, found))
})
