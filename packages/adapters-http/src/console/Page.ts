import { type Permission } from "@lastro/domain/access"
import { type Effect } from "effect"
import { type Refusal } from "../errors/Refusal.ts"
import { type HandlerServices } from "../mount/ApiRoutes.ts"
import { type View } from "./layout.ts"
import { type Fields, type Visit } from "./Visit.ts"

/** What a form does. Returns the path of the next page, or a page that is shown once. */
type Action = (visit: Visit, fields: Fields) => Effect.Effect<string | View, Refusal, HandlerServices>

/** A page that needs a session. */
export interface Page {
  readonly path: `/${string}`
  /** The permission without which the page is refused; null if every user may see it. */
  readonly permission: Permission | null
  readonly view: (visit: Visit) => Effect.Effect<View, Refusal, HandlerServices>
  /** What the forms of the page do, by their names. */
  readonly actions?: Readonly<Record<string, Action>>
}
