/** The API is mounted in the wrong place: somebody else has read the body of a request. */
export class BodyConsumed extends Error {
  override readonly name = "BodyConsumed"
  /** What a log may say of it: the whole message, because it holds no value. */
  readonly logMessage =
    "the body of the request was read before the API saw it; mount the API before express.json() and other parsers of bodies"
  constructor() {
    super("The body of the request was read before the API saw it")
  }
}
