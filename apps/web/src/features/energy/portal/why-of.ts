import type { Mine } from './my-points.ts'

type Story = { operationId: string; participantId: string; name: string }

/** Whose story there is to tell: each contract in each operation, of the point that is looked at or of all. */
export function whyOf({ points, where }: Pick<Mine, 'points' | 'where'>): Story[] {
  const stories = new Map<string, Story>()
  for (const { id, operationId, participantId, operationName, participantName } of points) {
    if (!operationId || !participantId || (where.pointId && where.pointId !== id)) continue
    stories.set(`${operationId} ${participantId}`, { operationId, participantId, name: operationName })
    const same = [...stories.values()].filter((story) => story.operationId === operationId)
    // Two contracts in one operation are told apart by whose they are.
    if (same.length > 1)
      stories.set(`${operationId} ${participantId}`, { operationId, participantId, name: participantName })
  }
  return [...stories.values()]
}
