import { Predicate } from "effect"

/**
 * An error that says of itself that trying again later may succeed, because something that is needed cannot be reached: it is
 * answered 503 instead of 500. It is known by this property alone, so that no adapter has to import another.
 */
export interface Transient {
  readonly isTransient: true
}

/** Whether a defect passes. */
export const isTransient = (defect: unknown): defect is Transient =>
  Predicate.hasProperty(defect, "isTransient") && defect.isTransient === true
