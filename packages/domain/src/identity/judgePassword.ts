import { Effect, Result } from "effect"
import { type FieldProblem, fieldProblem, type Problem, problem } from "../input/FieldProblem.ts"
import { foldText } from "../input/fold.ts"
import { CommonPasswords } from "./CommonPasswords.ts"
import { parsePassword } from "./Password.ts"

/** Facts about a new password. */
export interface PasswordFacts {
  /** The result of {@link isCommonPassword}. */
  readonly isCommon: boolean
  /** The name, e-mail address and CPF of the user, and the name of its partner. */
  readonly personal: ReadonlyArray<string>
}

/** The digits and symbols that people write in place of a letter. `1` and `!` stand for `i` or `l`. */
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

const lettersOf = (text: string): string => text.replace(/[^\p{L}]/gu, "")

const reversed = (text: string): string => Array.from(text).toReversed().join("")

/**
 * Returns the characters of a password without letter case and accents, and two forms in which lookalikes are letters.
 * `1` and `!` are an `i` in `withI`, and an `l` in `withL`.
 */
const formsOf = (password: string) => {
  const plain = Array.from(foldText(password))
  const withI = plain.map((character) => lookalikes[character] ?? character)
  return { plain, withI, withL: withI.map((character, index) => /[1!]/.test(plain[index] ?? "") ? "l" : character) }
}

/**
 * Returns the readings of a password, without letter case and accents. A reading is the text from the first to the last
 * letter, with up to two more characters on each side. Lookalikes are read as they are, or as their letter. A password
 * without letters has no readings.
 */
const readingsOf = (password: string): ReadonlySet<string> => {
  const { plain, withI, withL } = formsOf(password)
  const first = plain.findIndex(isLetter)
  const last = plain.findLastIndex(isLetter)
  const readings = new Set<string>()
  if (first < 0) return readings
  for (let start = Math.max(0, first - 2); start <= first; start++) {
    for (let end = last + 1; end <= Math.min(plain.length, last + 3); end++) {
      for (const form of [plain, withI, withL]) readings.add(form.slice(start, end).join(""))
    }
  }
  return readings
}

/** The minimum and maximum length of a word to look up. */
const wordLength = { min: 3, max: 20 }

/** Words of this business and of this software, which attackers try first. */
const ownWords = new Set(["fgts", "lastro", "saqueaniversario"])

/** Returns the words that a password can consist of, besides digits and symbols, forwards and backwards. */
const candidateWords = (readings: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(
    Array.from(readings)
      .flatMap((reading) => [reading, lettersOf(reading)])
      .filter(({ length }) => length >= wordLength.min && length <= wordLength.max)
      .flatMap((word) => [word, reversed(word)])
  )

/** Returns the letters and digits between the first and the last letter of a text, without letter case and accents. */
const coreOf = (text: string): string =>
  foldText(text).replace(/^[^\p{L}]+/u, "").replace(/[^\p{L}]+$/u, "").replace(/[^\p{L}\p{N}]/gu, "")

const isSameText = (password: string, word: string): boolean =>
  (foldText(word) !== "" && foldText(password) === foldText(word)) ||
  (coreOf(word) !== "" && coreOf(password) === coreOf(word))

/** Maximum number of compared parts of names and addresses. It limits the time for long names. */
const maxParts = 64

/** Returns the words in names and addresses, longest first, without letter case and accents. */
const partsOf = (personal: ReadonlyArray<string>): ReadonlyArray<string> =>
  Array.from(new Set(personal.flatMap((text) => foldText(text).split(/[^\p{L}]+/u))))
    .filter((part) => part !== "")
    .toSorted((a, b) => b.length - a.length)
    .slice(0, maxParts)

/** A word with fewer letters than this counts only together with a longer one. */
const minPart = 3

/** Returns whether letters consist only of words from the user's names and addresses. */
const hasOnlyParts = (letters: string, parts: ReadonlyArray<string>): boolean => {
  if (!parts.some((part) => part.length >= minPart && letters.includes(part))) return false
  return parts.reduce((rest, part) => rest.replaceAll(part, " "), letters).trim() === ""
}

/** A year of the last and the present century. */
const year = /(?:19|20)\d\d/

/** A password that consists of a word, a year and at most this number of other letters and digits is guessable. */
const maxBesideYear = 4

/** A shorter word beside a year does not count. */
const minWordWithYear = 4

/**
 * Returns whether a password is one of the words and a year, with at most four more letters or digits. The words have
 * neither letter case nor accents. They are found forwards and backwards, also with lookalikes in place of letters.
 */
const isWordWithYear = (password: string, words: ReadonlyArray<string>): boolean => {
  const { plain, withI, withL } = formsOf(password)
  const text = plain.join("")
  const isBesideYear = (word: string, form: ReadonlyArray<string>): boolean => {
    const start = form.join("").indexOf(word)
    if (start < 0) return false
    const rest = `${text.slice(0, start)} ${text.slice(start + word.length)}`
    return year.test(rest) && rest.replace(year, "").replace(/[^\p{L}\p{N}]/gu, "").length <= maxBesideYear
  }
  return words
    .filter(({ length }) => length >= minWordWithYear)
    .flatMap((word) => [word, reversed(word)])
    .some((word) => [plain, withI, withL].some((form) => isBesideYear(word, form)))
}

const digitsOf = (text: string): string => text.replace(/\D/g, "")

/** Returns whether a password contains all digits of a personal number, such as the CPF, forwards or backwards. */
const containsNumber = (password: string, text: string): boolean => {
  const [digits, number] = [digitsOf(password), digitsOf(text)]
  return /^[\d.\-/]+$/.test(text) && number.length >= 8 &&
    (digits.includes(number) || digits.includes(reversed(number)))
}

/** Returns whether a password is personal ({@link judgePassword}). */
const isPersonal = (password: string, personal: ReadonlyArray<string>): boolean => {
  // Each text, and the part of an e-mail address before the `@`.
  const texts = personal.flatMap((text) => [text, text.slice(0, Math.max(0, text.lastIndexOf("@")))])
  if (texts.some((text) => isSameText(password, text) || containsNumber(password, text))) return true
  const parts = partsOf(personal)
  if (isWordWithYear(password, parts)) return true
  const spellings = new Set(Array.from(readingsOf(password), lettersOf))
  return Array.from(spellings).some((letters) => hasOnlyParts(letters, parts) || hasOnlyParts(reversed(letters), parts))
}

/** Matches a text that repeats one unit of up to eight characters. */
const repeated = /^(.{1,8})\1+$/su

/** Minimum number of letters of a repetition that is surrounded by digits and symbols. */
const minRepetition = 6

/** Returns whether a password repeats a short unit, besides digits and symbols. */
const isRepetition = (password: string): boolean => {
  const letters = lettersOf(foldText(password))
  return repeated.test(password) ||
    letters.length >= Math.max(minRepetition, password.length / 2) && repeated.test(letters)
}

/** Returns whether all characters ascend or descend by one: `abcdefghijkl`, `987654321098`. */
const isSequence = (password: string): boolean => {
  const codes = Array.from(password.toLowerCase(), (character) => character.codePointAt(0) ?? 0)
  return [1, -1].some((step) =>
    codes.every((code, index) => {
      const distance = index === 0 ? step : code - (codes[index - 1] ?? 0)
      // In a sequence of digits, 0 follows 9.
      return distance === step || (/^\d+$/.test(password) && distance === -9 * step)
    })
  )
}

/**
 * A new password must be hard to guess. It is refused as GUESSABLE if it is one of these:
 *
 * - one of the most common passwords, or a sequence
 * - a common word or name that only digits and symbols surround
 * - a repeated short unit
 * - letters that consist only of parts of the names and the e-mail address
 * - a word of this software, or a part of a name or address, with a year and at most four more letters or digits
 * - a text that contains the CPF of the user
 *
 * The names are those of the user and of its partner. Words, names, addresses and the CPF are found forwards and
 * backwards. Letter case, accents, blanks and punctuation are ignored. Digits and symbols that look like a letter count
 * as this letter, too.
 * @rule AUTH-18
 */
export const judgePassword = (
  password: string,
  { isCommon, personal }: PasswordFacts
): Result.Result<void, Problem> => {
  if (isCommon || isSequence(password)) return Result.fail(problem("GUESSABLE", { reason: "COMMON" }))
  if (isRepetition(password)) return Result.fail(problem("GUESSABLE", { reason: "REPEATED" }))
  return isPersonal(password, personal) ? Result.fail(problem("GUESSABLE", { reason: "PERSONAL" })) : Result.void
}

/** Returns whether a password is one of the most common ones, or a common word that digits and symbols surround. */
export const isCommonPassword = Effect.fnUntraced(function*(password: string) {
  const { includes, isWord } = yield* CommonPasswords
  if (isWordWithYear(password, Array.from(ownWords)) || (yield* includes(password))) return true
  for (const word of candidateWords(readingsOf(password))) {
    if (ownWords.has(word) || (yield* isWord(word)) || (yield* includes(word))) return true
  }
  return false
})

/** Maximum length of a compared name, address or CPF. Longer texts are invalid anyway, so they are ignored. */
const maxPersonalLength = 320

/**
 * Applies {@link judgePassword} to an untrusted new password. `personal` are untrusted names, e-mail addresses and
 * CPFs. An invalid password is accepted here, because the parser of passwords reports it.
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
  return Result.mapError(verdict, (guessable) => fieldProblem(path, guessable))
})
