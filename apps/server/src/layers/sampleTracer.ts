import { Option, Tracer } from "effect"
import { type Sampler } from "../settings/telemetry.ts"

/**
 * Returns the random part of a trace id as a number from 0 to 1. The last 56 bits of a trace id are random (W3C Trace
 * Context, level 2).
 */
const randomPart = (traceId: string): number => Number.parseInt(traceId.slice(-14), 16) / 2 ** 56

type SpanRequest = Parameters<Tracer.Tracer["span"]>[0]

/**
 * Returns whether a span is exported. A span with a parent in this process is exported if the parent is. For a request,
 * the sampler decides. Background work without a request, such as polling for jobs, is never exported.
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

/** Returns a tracer that exports only the spans that a sampler selects. */
export const sampleTracer = (tracer: Tracer.Tracer, sampler: Sampler): Tracer.Tracer =>
  Tracer.make({
    ...tracer,
    span: (options) => tracer.span({ ...options, sampled: isSampled(options, sampler) })
  })
