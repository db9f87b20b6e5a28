/** Who comes next: one of each company in turn, however many a company has waiting. */
export function createTurns<T>() {
  // A map keeps the order in which its keys came: it is the round.
  const lines = new Map<number, T[]>()
  return {
    any: () => lines.size > 0,
    waiting: (companyId: number) => lines.get(companyId)?.length ?? 0,
    add(companyId: number, item: T) {
      const line = lines.get(companyId)
      if (line) line.push(item)
      else lines.set(companyId, [item])
    },
    next(): T | undefined {
      for (const [companyId, line] of lines) {
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
