/** Stores the places that applications have reached by time alone. */
const reachPlaces = `
  update application item set
    place = (
      select step ->> 'place' from json_array_elements(item.course) step
      where step ->> 'from' is null or (step ->> 'from')::timestamptz <= now()
      order by step ->> 'from' desc nulls last limit 1
    ),
    place_from = (
      select max((step ->> 'from')::timestamptz) from json_array_elements(item.course) step
      where (step ->> 'from')::timestamptz <= now()
    ),
    place_until = coalesce((
      select min((step ->> 'from')::timestamptz) from json_array_elements(item.course) step
      where (step ->> 'from')::timestamptz > now()
    ), 'infinity')
  where place_until <= now()`

const countPlaces = `
  insert into application_place_count (part, part_id, place, applications)
  select part.part, part.part_id, place, count(*)
  from application cross join lateral (
    values ('tree', root_id), ('region', region_id), ('partner', partner_id)
  ) part (part, part_id)
  group by part.part, part.part_id, place`

/**
 * Statements that count the applications in each place, per tree, region and partner. They also delete the pending
 * changes of these counts.
 */
export const placeStatements: ReadonlyArray<string> = [
  reachPlaces,
  countPlaces,
  "delete from application_place_delta"
]
