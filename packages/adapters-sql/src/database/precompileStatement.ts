import { type Constructor, type Statement } from "effect/sql/Statement"

/** Stands for the value of a parameter while the text is made. */
class Place<Name> {
  readonly name: Name

  constructor(name: Name) {
    this.name = name
  }
}

/**
 * A statement whose text is made once, so that a run only fills in its parameters: for statements that every request
 * needs. The driver finds what it has prepared by the text, too, which is quick for the same string and slow for a new
 * one that reads the same. `make` may do nothing with what it is given but put it into the statement.
 */
export const keptText = <Row extends object, Name extends string>(
  sql: Constructor,
  names: ReadonlyArray<Name>,
  make: (places: Readonly<Record<Name, unknown>>) => Statement<Row>
): (values: Readonly<Record<Name, unknown>>) => Statement<Row> => {
  const places = Object.fromEntries(names.map((name) => [name, new Place(name)])) as Record<Name, Place<Name>>
  const [text, parameters] = make(places).compile()
  const order = parameters.map((parameter) => {
    if (parameter instanceof Place) return (parameter as Place<Name>).name
    throw new Error("A statement whose text is kept has a parameter that it was not given")
  })
  return (values) => sql.unsafe<Row>(text, order.map((name) => values[name]))
}
