import { Context, Effect, Option, Schema } from "effect"
import { type SubtreeScope } from "../hierarchy/Scope.ts"
import { type RequestedQuery } from "../input/ListQuery.ts"

/**
 * Seals the cursors of lists, so that nobody can read or forge them. The sort values in a cursor can be personal data,
 * and URLs are logged.
 */
export class CursorSeal extends Context.Service<CursorSeal, {
  /** Encrypts a text to base64url (RFC 4648, section 5). The same key is used by all processes of an installation. */
  readonly seal: (text: string, context: string) => Effect.Effect<string>
  /** Returns the text that was sealed in the same context. Returns none for any other text. */
  readonly open: (sealed: string, context: string) => Effect.Effect<Option.Option<string>>
}>()("@lastro/domain/ports/CursorSeal") {}

/** The content of a cursor: the number of the next page, the total of the first page, and the position. */
const Cursor = Schema.fromJsonString(Schema.Tuple([
  Schema.Int,
  Schema.Int,
  Schema.Array(Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, Schema.Null]))
]))

const encode = Schema.encodeSync(Cursor)
const decode = Schema.decodeUnknownOption(Cursor)

/** Maximum length of a cursor in characters. A longer cursor is not opened. */
export const maxCursorLength = 4_096

/**
 * A cursor is valid only for the list, the partner of the caller, the filters and the sort of the page that returned
 * it. Any other cursor is INVALID_FORMAT. The page size can change during a walk.
 * @rule PAGE-38
 */
export const cursorContext = (
  list: string,
  { partner_id }: SubtreeScope,
  { filters, sort }: Pick<RequestedQuery<unknown, string>, "filters" | "sort">
): string => JSON.stringify([list, partner_id, filters, sort.map(({ direction, property }) => [property, direction])])

/** Seals the content of a cursor. */
export const sealCursor = (
  { seal }: CursorSeal["Service"],
  content: typeof Cursor.Type,
  context: string
): Effect.Effect<string> => seal(encode(content), context)

/** Opens a cursor, which is untrusted. Returns none if it was not sealed in this context. */
export const openCursor = (
  { open }: CursorSeal["Service"],
  cursor: string,
  context: string
): Effect.Effect<Option.Option<typeof Cursor.Type>> =>
  cursor.length > maxCursorLength ? Effect.succeedNone : Effect.map(open(cursor, context), Option.flatMap(decode))
