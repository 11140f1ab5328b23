import { Result } from "effect"
import { basePathInWords, isBasePath } from "./isBasePath.ts"
import { OptionRefused } from "./OptionRefused.ts"

/** What comes before the paths of an API in the requests that arrive; a slash at the end is taken off. */
export const parsePrefix = (text: string): Result.Result<string, OptionRefused> => {
  const path = text.replace(/\/$/, "")
  return isBasePath(path)
    ? Result.succeed(path)
    : Result.fail(
      new OptionRefused({
        option: "prefix",
        problem: `has to be empty or a path such as /lending: ${basePathInWords}`
      })
    )
}
