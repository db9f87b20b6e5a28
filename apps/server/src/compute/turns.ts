/** Who comes next: one of each company in turn, however many a company has waiting. */
export function createTurns<T>() {
  // A map keeps the order in which its keys came: it is the round.
  const lines = new Map<number, T[]>()
  return {
    any: (may: (companyId: number) => boolean) => lines.keys().some(may),
    waiting: (companyId: number) => lines.get(companyId)?.length ?? 0,
    add(companyId: number, item: T) {
      const line = lines.get(companyId)
      if (line) line.push(item)
      else lines.set(companyId, [item])
    },
    next(may: (companyId: number) => boolean): T | undefined {
      for (const [companyId, line] of lines) {
        if (!may(companyId)) continue
        const item = line.shift()
        lines.delete(companyId)
        if (line.length) lines.set(companyId, line)
        return item
      }
      return undefined
    },
    remove(companyId: number, item: T) {
      const left = (lines.get(companyId) ?? []).filter((other) => other !== item)
      if (left.length) lines.set(companyId, left)
      else lines.delete(companyId)
    },
    clear(): T[] {
      const all = [...lines.values()].flat()
      lines.clear()
      return all
    },
  }
}

/** How many each company has; one that has none is forgotten. */
export function createCounts() {
  const counts = new Map<number, number>()
  const of = (companyId: number) => counts.get(companyId) ?? 0
  return {
    of,
    add(companyId: number, more: number) {
      const count = of(companyId) + more
      if (count > 0) counts.set(companyId, count)
      else counts.delete(companyId)
    },
  }
}
