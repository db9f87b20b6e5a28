import { findPerimeterProblems, type PerimeterProblem } from '@voisol/energy/perimeter'
import { parseNumber } from '../../../lib/format.ts'
import { parsePosition } from '../../../lib/position.ts'
import { isBlankRow, type OperationWizardDraft } from './draft.ts'

const parseWatts = (text: string) => Math.round((parseNumber(text) ?? 0) * 1000)

/** That of the plants once they are known, else the declared one. */
export function computeDraftPower({ producers, capacity }: Pick<OperationWizardDraft, 'producers' | 'capacity'>) {
  const plants = producers.filter((row) => !isBlankRow(row)).reduce((sum, { kwc }) => sum + parseWatts(kwc), 0)
  return { plants, declared: parseWatts(capacity), watts: plants || parseWatts(capacity) }
}

export const buildDraftPlaces = ({ producers, consumers }: Pick<OperationWizardDraft, 'producers' | 'consumers'>) =>
  [...producers, ...consumers]
    .filter((row) => !isBlankRow(row))
    .map((row, at) => {
      const { latitude, longitude } = parsePosition(row.position) ?? { latitude: Number.NaN, longitude: Number.NaN }
      return { id: String(at), label: row.name, latitude, longitude }
    })

/** What the rules say of the draft as it stands. */
export const checkDraftPerimeter = (draft: OperationWizardDraft): PerimeterProblem[] =>
  findPerimeterProblems({
    perimeter: draft.perimeter,
    zone: draft.zone,
    points: buildDraftPlaces(draft),
    watts: computeDraftPower(draft).watts,
  })

/** A refusal is told where it can be mended: at the declared power, at the plants, or at the places. */
export function findPerimeterRefusals(
  draft: OperationWizardDraft,
  cause: 'declared' | 'plants' | 'distance',
): { message: string }[] {
  const { plants, declared } = computeDraftPower(draft)
  const { perimeter, zone } = draft
  const points = cause === 'distance' ? buildDraftPlaces(draft) : []
  const watts = { declared, plants, distance: 0 }[cause]
  return findPerimeterProblems({ perimeter, zone, points, watts })
    .filter(({ severity }) => severity === 'refused')
    .map(({ message, rule }) => ({ message: `${message.replace(/\.$/, '')} (${rule}).` }))
}
