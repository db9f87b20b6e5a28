/** A queue that serves companies in turn, however many entries one has. */
export function createFairQueue<T>() {
  // A map keeps the order of insertion, which gives the turn.
  const queues = new Map<number, T[]>()
  return {
    any: (may: (companyId: number) => boolean) => queues.keys().some(may),
    waiting: (companyId: number) => queues.get(companyId)?.length ?? 0,
    add(companyId: number, item: T) {
      const line = queues.get(companyId)
      if (line) line.push(item)
      else queues.set(companyId, [item])
    },
    next(may: (companyId: number) => boolean): T | undefined {
      for (const [companyId, line] of queues) {
        if (!may(companyId)) continue
        const item = line.shift()
        queues.delete(companyId)
        if (line.length) queues.set(companyId, line)
        return item
      }
      return undefined
    },
    remove(companyId: number, item: T) {
      const left = (queues.get(companyId) ?? []).filter((other) => other !== item)
      if (left.length) queues.set(companyId, left)
      else queues.delete(companyId)
    },
    clear(): T[] {
      const all = [...queues.values()].flat()
      queues.clear()
      return all
    },
  }
}

/** Counts per company; zero counts are removed. */
export function createCompanyCounters() {
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
