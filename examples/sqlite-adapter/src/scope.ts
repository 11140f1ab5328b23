/**
 * A common table expression `inside` with the ids of a partner and its descendants, including deleted partners. The
 * next parameter is the id of the partner.
 */
export const subtree = `
  with recursive inside (id) as (
    select id from partner where id = ?
    union all
    select child.id from partner child join inside on child.parent_id = inside.id
  )`

/** Returns a SQL expression: 1 if the next parameter is the id of this partner or of an ancestor, otherwise 0. */
export const liesWithin = (partner: string): string =>
  `(
  with recursive above (id) as (
    select ${partner}
    union all
    select parent_id from partner join above using (id) where parent_id is not null
  )
  select count(*) from above where id = ?
)`
