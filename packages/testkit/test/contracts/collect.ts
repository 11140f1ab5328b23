import { type CaseContext, type Runner } from "@lastro/testkit/contracts"

/** A case as a suite registered it. */
export interface CollectedCase {
  /** The suite it stands in, and the contract within. */
  readonly groups: ReadonlyArray<string>
  readonly name: string
  readonly timeout: number
  readonly run: (context: CaseContext) => Promise<void>
}

type Hook = () => Promise<void>

/** What suites registered with a runner that runs nothing. */
export interface Collected {
  readonly cases: ReadonlyArray<CollectedCase>
  readonly before: ReadonlyArray<Hook>
  readonly after: ReadonlyArray<Hook>
}

/** Has suites register with a runner that collects their cases and runs none. */
export const collect = (register: (runner: Runner) => void): Collected => {
  const cases: Array<CollectedCase> = []
  const before: Array<Hook> = []
  const after: Array<Hook> = []
  let groups: ReadonlyArray<string> = []
  register({
    describe: (name, define) => {
      const outer = groups
      groups = [...outer, name]
      define()
      groups = outer
    },
    it: (name, { timeout }, run) => cases.push({ groups, name, timeout, run }),
    before: (run) => before.push(run),
    after: (run) => after.push(run)
  })
  return { cases, before, after }
}
