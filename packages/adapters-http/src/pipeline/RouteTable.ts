import { pathOf, type PathParams } from "./Exchange.ts"
import { type Handler } from "./handleRequest.ts"

/** The handlers of a path by method. HEAD is answered like GET, without the body (RFC 9110 §9.3.2). */
export interface Methods<R> {
  readonly byMethod: ReadonlyMap<string, Handler<R>>
  readonly notAllowed: Handler<R>
}

/** The handler of a request, with the values of the path parameters. */
export interface Found<R> {
  readonly handler: Handler<R>
  readonly params: PathParams
}

/** A segment of a path. Its text is the name of a parameter, or else a literal. */
interface Segment {
  readonly isParameter: boolean
  readonly text: string
}

/** A path with parameters. */
interface Pattern<R> {
  readonly segments: ReadonlyArray<Segment>
  readonly methods: Methods<R>
}

/** Maximum length of a path parameter. The longest valid value is a UUID. */
const maxParameterLength = 100

/** Characters that a path parameter cannot contain. They end the path, or start another spelling of a character. */
const reserved = /[%;#]/

const isValidParameter = (value: string): boolean =>
  value !== "" && value.length <= maxParameterLength && !reserved.test(value)

const noParams: PathParams = Object.freeze({})

/** Lists the methods of a path for the `Allow` header. */
export const allowedMethods = (methods: Iterable<string>): ReadonlyArray<string> =>
  [...methods].flatMap((method) => method === "GET" ? ["GET", "HEAD"] : [method]).toSorted()

/**
 * Finds the handler of a request by path and method. Accepts only one spelling of a path, so every resource has exactly
 * one URL. The table is created once, when the server starts.
 */
export class RouteTable<R> {
  readonly #literals = new Map<string, Methods<R>>()
  /** The paths with parameters, by their number of segments. */
  readonly #patterns = new Map<number, Array<Pattern<R>>>()
  readonly #notFound: Found<R>

  constructor(notFound: Handler<R>) {
    this.#notFound = { handler: notFound, params: noParams }
  }

  readonly paths: Array<`/${string}`> = []

  add(path: `/${string}`, methods: Methods<R>): void {
    this.paths.push(path)
    if (!path.includes(":")) return void this.#literals.set(path, methods)
    const segments = path.split("/").map((text): Segment =>
      text.startsWith(":") ? { isParameter: true, text: text.slice(1) } : { isParameter: false, text }
    )
    const known = this.#patterns.get(segments.length) ?? []
    this.#patterns.set(segments.length, [...known, { segments, methods }])
  }

  /** Finds the handler for a method and a URL. If there is none, returns the handler that answers 404 or 405. */
  find(method: string, url: string): Found<R> {
    const path = pathOf(url)
    const literal = this.#literals.get(path)
    if (literal !== undefined) return { handler: select(literal, method), params: noParams }
    const sent = path.split("/")
    for (const { methods, segments } of this.#patterns.get(sent.length) ?? []) {
      const params = match(segments, sent)
      if (params !== undefined) return { handler: select(methods, method), params }
    }
    return this.#notFound
  }
}

const select = <R>({ byMethod, notAllowed }: Methods<R>, method: string): Handler<R> =>
  byMethod.get(method === "HEAD" ? "GET" : method) ?? notAllowed

const fits = ({ isParameter, text }: Segment, value: string): boolean =>
  isParameter ? isValidParameter(value) : value === text

/** Returns the parameters of a path with as many segments. Undefined if the path does not match the segments. */
const match = (segments: ReadonlyArray<Segment>, sent: ReadonlyArray<string>): PathParams | undefined => {
  // Most paths begin with the same segments, so compare the last ones first.
  if (segments.findLastIndex((segment, index) => !fits(segment, sent[index] ?? "")) >= 0) return undefined
  return Object.fromEntries(
    segments.flatMap(({ isParameter, text }, index) => isParameter ? [[text, sent[index] ?? ""]] : [])
  )
}
