import { analyse } from "scslre"

// The part of the ESTree and of oxlint's rule interface that these rules use: oxlint publishes no types for it.
interface Node {
  readonly type: string
  readonly regex?: { readonly pattern: string; readonly flags: string } | null
  readonly callee?: { readonly type: string; readonly name?: string; readonly value?: unknown }
  readonly arguments?: ReadonlyArray<{ readonly type: string; readonly value?: unknown }>
}
interface RuleContext {
  readonly report: (problem: { readonly node: Node; readonly message: string }) => void
}

/** Why `pattern` can take more than linear time on some text, or undefined. */
const superLinear = (pattern: string, flags: string): string | undefined => {
  const { reports } = analyse({ source: pattern, flags }, { reportTypes: { Move: false } })
  const [report] = reports
  return report === undefined
    ? undefined
    : `${report.exponential ? "exponential" : "polynomial"} backtracking on "${report.character.literal.source}"`
}

/** A regular expression is refused when a hostile text makes it backtrack in more than linear time. */
const linearRegex = {
  create: (context: RuleContext) => ({
    Literal: (node: Node) => {
      if (!node.regex) return
      const why = superLinear(node.regex.pattern, node.regex.flags)
      if (why !== undefined) context.report({ node, message: `This regular expression has ${why}.` })
    }
  })
}

/** `new Date()` reads the clock; `new Date(value)` only converts. */
const noPresentDate = {
  create: (context: RuleContext) => ({
    NewExpression: (node: Node) => {
      if (node.callee?.type === "Identifier" && node.callee.name === "Date" && node.arguments?.length === 0) {
        context.report({ node, message: "`new Date()` reads the clock: the present instant is a parameter." })
      }
    }
  })
}

export default {
  meta: { name: "lastro" },
  rules: { "linear-regex": linearRegex, "no-present-date": noPresentDate }
}
