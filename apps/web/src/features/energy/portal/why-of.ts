import type { OwnSide } from './my-points.ts'

type ExplanationRef = { operationId: string; participantId: string; name: string }

/** Whose story there is to tell: each contract in each operation, of the point that is looked at or of all. */
export function listExplanations({ points, where }: Pick<OwnSide, 'points' | 'where'>): ExplanationRef[] {
  const explanations = new Map<string, ExplanationRef>()
  for (const { id, operationId, participantId, operationName, participantName } of points) {
    if (!operationId || !participantId || (where.pointId && where.pointId !== id)) continue
    explanations.set(`${operationId} ${participantId}`, { operationId, participantId, name: operationName })
    const same = [...explanations.values()].filter((story) => story.operationId === operationId)
    // Two contracts in one operation are told apart by whose they are.
    if (same.length > 1)
      explanations.set(`${operationId} ${participantId}`, { operationId, participantId, name: participantName })
  }
  return [...explanations.values()]
}
