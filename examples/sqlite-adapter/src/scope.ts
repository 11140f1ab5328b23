/** A query of every partner at or below the one that the next parameter names. Deleted ones keep their place. */
export const subtree = `
  with recursive inside (id) as (
    select id from partner where id = ?
    union all
    select below.id from partner below join inside on below.parent_id = inside.id
  )`

/** 1 where the partner that the next parameter names is this one or lies above it, 0 where it does not. */
export const liesWithin = (partner: string): string =>
  `(
  with recursive above (id) as (
    select ${partner}
    union all
    select parent_id from partner join above using (id) where parent_id is not null
  )
  select count(*) from above where id = ?
)`
