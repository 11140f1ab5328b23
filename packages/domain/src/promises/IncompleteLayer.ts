import { type Layer } from "effect"

/** The member that a layer without a required layer lacks. Its name is the sentence that the compiler shows. */
interface LacksLayer<Services> {
  readonly "This layer still requires services. Add the layers that provide them with Layer.provideMerge:": Services
}

/** The member that a layer without a port lacks. Its name is the sentence that the compiler shows. */
interface LacksPort<Ports> {
  readonly "This layer does not provide these ports. Merge the layers that provide them:": Ports
}

/**
 * A layer that cannot be opened. No layer has this type, so that the error of the compiler names the services that are missing.
 * `Out` are the services that the layer provides, `In` those that it still requires, and `Ports` those that are needed.
 */
export type IncompleteLayer<Out, E, In, Ports> =
  & Layer.Layer<Out, E, In>
  & ([In] extends [never] ? LacksPort<Exclude<Ports, Out>> : LacksLayer<In>)
