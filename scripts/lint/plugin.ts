import { analyse } from "scslre"

// The parts of ESTree and of oxlint's rule interface that these rules use. oxlint publishes no types for them.
interface Node {
  readonly type: string
  readonly regex?: { readonly pattern: string; readonly flags: string } | null
  readonly callee?: { readonly type: string; readonly name?: string; readonly value?: unknown }
  readonly arguments?: ReadonlyArray<{ readonly type: string; readonly value?: unknown }>
}
interface RuleContext {
  readonly report: (problem: { readonly node: Node; readonly message: string }) => void
}

/** Describes why matching `pattern` can take more than linear time. Returns undefined if it cannot. */
const describeBacktracking = (pattern: string, flags: string): string | undefined => {
  const { reports } = analyse({ source: pattern, flags }, { reportTypes: { Move: false } })
  const [report] = reports
  return report === undefined
    ? undefined
    : `${report.exponential ? "exponential" : "polynomial"} backtracking on "${report.character.literal.source}"`
}

/** Rejects a regular expression whose matching can take more than linear time on hostile input. */
const linearRegex = {
  create: (context: RuleContext) => ({
    Literal: (node: Node) => {
      if (!node.regex) return
      const description = describeBacktracking(node.regex.pattern, node.regex.flags)
      if (description !== undefined) context.report({ node, message: `This regular expression has ${description}.` })
    }
  })
}

/** Rejects `new Date()`, which reads the clock. Allows `new Date(value)`, which only converts. */
const noPresentDate = {
  create: (context: RuleContext) => ({
    NewExpression: (node: Node) => {
      if (node.callee?.type === "Identifier" && node.callee.name === "Date" && node.arguments?.length === 0) {
        context.report({ node, message: "`new Date()` reads the clock. Take the current instant as a parameter." })
      }
    }
  })
}

export default {
  meta: { name: "lastro" },
  rules: { "linear-regex": linearRegex, "no-present-date": noPresentDate }
}
