// The sentences in the doc comments of ports, and the cases of the contract suites that prove them.

/** The reason why no case proves a sentence. */
interface Unproven {
  readonly because: string
}

/**
 * Parts of sentences, separated by " | ". Then parts of the names of the cases that prove each of these sentences, or
 * the reason why no case does.
 */
export type Proof = readonly [parts: string, ...cases: ReadonlyArray<string | Unproven>]

/** States why no case proves a sentence. */
export const because = (reason: string): Unproven => ({ because: reason })

/** The proofs of sentences that several ports have. They apply if the port's own proofs have no part of the sentence. */
const usual: ReadonlyArray<Proof> = [
  ["Writes join", "roll back"],
  ["Returns a page", "returns and counts the records in scope", "combined with AND", "brute-force model"],
  ["Fails with ReadBudgetExceeded", "more records than its budget"],
  ["Default: unlimited | Streams all records", "brute-force model"],
  ["With `after`", "brute-force model", "a walk returns each record once"],
  ["Each pull reads", because("a test of both databases reads an export of several batches")],
  ["`judgeFound`", because("a type: only `judgeFound` reads it")],
  ["For durable jobs | For the operator | For background work", because("a rule for the caller")]
]

const sentencesIn = (comment: string): ReadonlyArray<string> =>
  comment.replaceAll(/^[ \t]*\*[ ]?/gm, "").replaceAll(/\s+/g, " ").trim().split(/(?<=[.])\s+(?=[A-Z`{])/)

/**
 * Returns the sentences of a port that a file declares, in source order. A sentence about a method begins with its name
 * and a colon. Null if the file does not declare the port.
 */
export const portSentences = (port: string, text: string): ReadonlyArray<string> | null => {
  // Few files declare the port, and the pattern is slow.
  if (!text.includes(`export class ${port} extends`)) return null
  const declared = new RegExp(
    String.raw`/\*\*((?:(?!\*/)[\s\S])*)\*/\nexport class ${port} extends Context\.Service<${port}, \{([\s\S]*?)\n\}>`
  ).exec(text)
  if (declared === null) return null
  const [, comment = "", body = ""] = declared
  const members = body.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*readonly (\w+)/g)
  return [
    ...sentencesIn(comment),
    ...Array.from(members).flatMap(([, comment = "", member = ""]) =>
      sentencesIn(comment).map((text) => `${member}: ${text}`)
    )
  ]
}

const proves = ([parts]: Proof, sentence: string): boolean => parts.split(" | ").some((part) => sentence.includes(part))

/** Returns the sentences without a proof, the proofs of no sentence, and the proofs that name no case. */
export const findSentenceProblems = (
  sentences: ReadonlyArray<string>,
  proofs: ReadonlyArray<Proof>,
  caseNames: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const others = sentences.filter((sentence) => !proofs.some((proof) => proves(proof, sentence)))
  const used = usual.filter((proof) => others.some((sentence) => proves(proof, sentence)))
  const unproven = others.filter((sentence) => !used.some((proof) => proves(proof, sentence)))
  const unknown = proofs.flatMap(([parts]) => parts.split(" | "))
    .filter((part) => !sentences.some((sentence) => sentence.includes(part)))
  return [
    ...unproven.map((sentence) => `no case proves the sentence "${sentence}"`),
    ...unknown.map((part) => `the port has no sentence with "${part}"`),
    ...[...proofs, ...used].flatMap(([parts, ...cases]) =>
      cases.filter((part) => typeof part === "string")
        .filter((part) => !caseNames.some((name) => name.includes(part)))
        .map((part) => `"${parts}": no case has a name with "${part}"`)
    )
  ]
}
