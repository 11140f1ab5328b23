import { Option, Tracer } from "effect"
import { type Sampler } from "../settings/telemetry.ts"

/** The last 56 bits of a trace id are random (W3C Trace Context, level 2). Returns them as a number from 0 to 1. */
const randomPart = (traceId: string): number => Number.parseInt(traceId.slice(-14), 16) / 2 ** 56

type SpanRequest = Parameters<Tracer.Tracer["span"]>[0]

/**
 * Returns whether a span is exported. A trace begins with a request: background work without a caller, such as looking for jobs, has none. A span
 * within this process has the decision of its parent. Otherwise the sampler decides.
 */
const isSampled = (
  { kind, parent, sampled }: Pick<SpanRequest, "kind" | "parent" | "sampled">,
  { isParentBased, ratio }: Sampler
): boolean => {
  if (Option.isNone(parent)) return kind === "server" && Math.random() < ratio
  const { value } = parent
  if (value._tag === "Span") return sampled
  return isParentBased ? sampled : 1 - randomPart(value.traceId) <= ratio && ratio > 0
}

/** Applies a sampler to a tracer. */
export const sampleTracer = (tracer: Tracer.Tracer, sampler: Sampler): Tracer.Tracer =>
  Tracer.make({
    ...tracer,
    span: (options) => tracer.span({ ...options, sampled: isSampled(options, sampler) })
  })
