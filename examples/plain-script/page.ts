import {
  compareBy,
  foldText,
  matchesFolded,
  type Page,
  pageOf,
  parseListQuery,
  parseTextFilter,
  takePage
} from "@lastro/domain/input"

/** A city and its population. */
export interface City {
  readonly name: string
  readonly people: number
  readonly created_at: string
}

const readQuery = parseListQuery({ filters: { name: parseTextFilter }, fields: ["name", "people"] })

const compare = compareBy<City, "name" | "people" | "created_at">({
  name: (city) => city.name,
  people: (city) => city.people,
  created_at: (city) => city.created_at
}, (city) => city.name)

/** Lists cities by the query parameters of a request. Returns the problems if the parameters are invalid. */
export const listCities = (
  cities: ReadonlyArray<City>,
  parameters: Readonly<Record<string, string>>
): Page<City> | ReadonlyArray<string> => {
  const query = readQuery(parameters)
  if (query._tag === "Failure") return query.failure.problems.map(({ code, field }) => `${field}: ${code}`)
  const { filters, page, sort } = query.success
  const { name } = filters
  const found = cities.filter((city) => name === undefined || matchesFolded(foldText(city.name), name))
  return pageOf(takePage(found.toSorted(compare(sort)), page), query.success)
}
