// The sentences in the doc comments of ports, and the cases of the contract suites that prove them.

/** A sentence of a doc comment. `member` is the method that it describes, or null for the port itself. */
export interface PortSentence {
  readonly member: string | null
  readonly sentence: string
}

/** The reason why no case proves a sentence. */
interface Unproven {
  readonly because: string
}

/**
 * A part of a sentence with its method, and parts of the names of the cases that prove it, or the reason why no case
 * does.
 */
export type Proof = readonly [part: string, ...cases: ReadonlyArray<string | Unproven>]

/** States why no case proves a sentence. */
export const because = (reason: string): Unproven => ({ because: reason })

/** The reason why no case proves that an export reads in batches. */
export const inBatches = because("a test of both databases reads an export of several batches")

const sentencesIn = (comment: string): ReadonlyArray<string> =>
  comment.replaceAll(/^[ \t]*\*[ ]?/gm, "").replaceAll(/\s+/g, " ").trim().split(/(?<=[.])\s+(?=[A-Z`{])/)

/**
 * Returns the sentences of a port that a file declares, in source order. Null if the file does not declare the port.
 */
export const portSentences = (port: string, text: string): ReadonlyArray<PortSentence> | null => {
  // Few files declare the port, and the pattern is slow.
  if (!text.includes(`export class ${port} extends`)) return null
  const declared = new RegExp(
    String.raw`/\*\*((?:(?!\*/)[\s\S])*)\*/\nexport class ${port} extends Context\.Service<${port}, \{([\s\S]*?)\n\}>`
  ).exec(text)
  if (declared === null) return null
  const [, comment = "", body = ""] = declared
  const members = body.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*readonly (\w+)/g)
  return [
    ...sentencesIn(comment).map((sentence) => ({ member: null, sentence })),
    ...Array.from(members).flatMap(([, one = "", member = ""]) =>
      sentencesIn(one).map((sentence) => ({ member, sentence }))
    )
  ]
}

const label = ({ member, sentence }: PortSentence): string => member === null ? sentence : `${member}: ${sentence}`

/** Returns the sentences without a proof, the proofs of no sentence, and the proofs that name no case. */
export const findSentenceProblems = (
  sentences: ReadonlyArray<PortSentence>,
  proofs: ReadonlyArray<Proof>,
  caseNames: ReadonlyArray<string>
): ReadonlyArray<string> => [
  ...sentences.map(label).filter((one) => !proofs.some(([part]) => one.includes(part)))
    .map((one) => `no case proves the sentence "${one}"`),
  ...proofs.filter(([part]) => !sentences.some((one) => label(one).includes(part)))
    .map(([part]) => `the port has no sentence with "${part}"`),
  ...proofs.flatMap(([part, ...cases]) =>
    cases.flatMap((one) =>
      typeof one !== "string" || caseNames.some((name) => name.includes(one))
        ? []
        : [`"${part}": no case has a name with "${one}"`]
    )
  )
]
