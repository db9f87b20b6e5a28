import {
  getUsualSegment,
  type Participation,
  ParticipationDraft,
  type PointFields,
  Segment,
} from '@voisol/contract/points'
import { Address, Day, Direction, Id, OptionalText, Prm } from '@voisol/contract/primitives'
import { z } from 'zod'
import {
  dayInputSchema,
  formatNumberInput,
  formatPosition,
  numberInputSchema,
  positionInputSchema,
} from '../../../lib/field-schemas.ts'
import type { useSchemaForm } from '../../../lib/form.ts'

const KILO = 1000

/** A typed number, or nothing. */
const optionalNumber = (bounds: Parameters<typeof numberInputSchema>[0]) => {
  const numberSchema = numberInputSchema(bounds)
  return z.string().transform((text, context) => {
    if (text.trim() === '') return null
    const parsed = numberSchema.safeParse(text)
    if (parsed.success) return parsed.data
    context.addIssue({ code: 'custom', message: parsed.error.issues[0]?.message ?? '' })
    return z.NEVER
  })
}

/** Named as in the contract, so that what the server says finds its field; both coordinates stand in `latitude`. */
export const PointForm = z.object({
  label: OptionalText,
  segment: Segment,
  subscribedVa: optionalNumber({ min: 0, max: 40_000, scale: KILO }),
  peakWatts: optionalNumber({ min: 0, max: 100_000, scale: KILO }),
  azimuth: optionalNumber({ min: 0, max: 360 }),
  tilt: optionalNumber({ min: 0, max: 90 }),
  commissionedOn: dayInputSchema,
  pointAddress: Address,
  latitude: positionInputSchema,
})
type PointValues = z.infer<typeof PointFields>

export const EMPTY_POINT: z.input<typeof PointForm> = {
  label: '',
  segment: getUsualSegment('consumption'),
  subscribedVa: '',
  peakWatts: '',
  azimuth: '',
  tilt: '',
  commissionedOn: '',
  pointAddress: '',
  latitude: '',
}

const formatNullable = (value: number | null, scale = 1) => (value === null ? '' : formatNumberInput(value, scale))

export const toPointForm = (point: Participation['point']): z.input<typeof PointForm> => ({
  label: point.label,
  segment: point.segment,
  subscribedVa: formatNullable(point.subscribedVa, KILO),
  peakWatts: formatNullable(point.peakWatts, KILO),
  azimuth: formatNullable(point.azimuth),
  tilt: formatNullable(point.tilt),
  commissionedOn: point.commissionedOn ?? '',
  pointAddress: point.pointAddress,
  latitude: formatPosition(point),
})

export const toPointValues = ({ latitude: position, ...rest }: z.output<typeof PointForm>): PointValues => ({
  ...rest,
  ...position,
})

/** What was left empty is not said: a point that is known keeps it. */
const withoutEmpty = (values: PointValues): Partial<PointValues> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== ''))

const CHOOSE_OPERATION_MESSAGE = 'Choisissez une opération.'

export const EntryForm = z.object({
  operationId: z.string().refine((id) => Id.safeParse(id).success, CHOOSE_OPERATION_MESSAGE),
  prm: Prm,
  /** A battery is both directions at once. */
  direction: z.enum([...Direction.options, 'battery']),
  point: PointForm,
  startsOn: Day,
  endsOn: dayInputSchema,
  agreementSignedOn: dayInputSchema,
})
export type EntryFormState = ReturnType<typeof useSchemaForm<typeof EntryForm>>

/** Each direction of a battery has the usual segment of its own. */
export function toParticipationDraft(participantId: string, { point, direction, ...rest }: z.output<typeof EntryForm>) {
  const { segment, ...values } = withoutEmpty(toPointValues(point))
  return direction === 'battery'
    ? ParticipationDraft.parse({ ...rest, direction: 'consumption', storage: true, participantId, point: values })
    : ParticipationDraft.parse({ ...rest, direction, participantId, point: { ...values, segment } })
}
