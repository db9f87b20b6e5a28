import { Candidate } from '@voisol/contract/projects'
import { z } from 'zod'
import { formatPrm as spaced } from '../../lib/energy-labels.ts'
import { formatPosition } from '../../lib/position.ts'
import { formatNumberInput, numberInputSchema, positionInputSchema } from '../../lib/typed-fields.ts'
import type { CandidateLine } from './body.ts'

const { name, email, kind, prm, profile, pointId } = Candidate.shape

export const CandidateForm = z.object({
  name,
  email,
  kind,
  prm,
  profile,
  yearlyKwh: numberInputSchema({ min: 0, max: 100_000_000 }),
  /** A select knows no null. */
  pointId: z.union([z.literal('').transform(() => null), pointId]),
  position: positionInputSchema,
})

export const NEW_CANDIDATE: z.input<typeof CandidateForm> = {
  name: '',
  email: '',
  kind: 'person',
  prm: '',
  profile: 'household',
  yearlyKwh: '',
  pointId: '',
  position: '',
}
export const toCandidateForm = (candidate: CandidateLine): z.input<typeof CandidateForm> => ({
  name: candidate.name,
  email: candidate.email,
  kind: candidate.kind,
  profile: candidate.profile,
  prm: spaced(candidate.prm),
  yearlyKwh: formatNumberInput(candidate.yearlyKwh),
  pointId: candidate.pointId ?? '',
  position: formatPosition(candidate),
})
export const toCandidate = ({ position, ...values }: z.output<typeof CandidateForm>): CandidateLine => ({
  ...values,
  ...position,
})
