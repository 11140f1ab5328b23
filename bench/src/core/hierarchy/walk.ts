/** Whether `id` is `top` or below it, as one would write it at first: from parent to parent until the top is met, or no parent. */
export const isWithinByWalking =
  (parents: ReadonlyMap<string, string | null>) => (top: string, id: string): boolean => {
    for (let at: string | null | undefined = id; at !== null && at !== undefined; at = parents.get(at)) {
      if (at === top) return true
    }
    return false
  }
