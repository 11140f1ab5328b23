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

/** Rejects a regular expression whose matching can take more than linear time on hostile input. */
const linearRegex = {
  create: (context: RuleContext) => ({
    Literal: (node: Node) => {
      if (!node.regex) return
      const { flags, pattern } = node.regex
      const { reports: [slow] } = analyse({ source: pattern, flags }, { reportTypes: { Move: false } })
      if (slow === undefined) return
      const time = slow.exponential ? "exponential" : "polynomial"
      const message = `This regular expression has ${time} backtracking on "${slow.character.literal.source}".`
      context.report({ node, message })
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
