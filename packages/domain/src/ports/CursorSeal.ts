import { Context, type Effect, type Option } from "effect"

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
