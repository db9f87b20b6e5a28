import {
  type Participation,
  ParticipationDraft,
  type PointFields,
  Segment,
  usualSegment,
} from '@voisol/contract/points'
import { Address, Day, Direction, Id, OptionalText, Prm } from '@voisol/contract/primitives'
import { z } from 'zod'
import type { useSchemaForm } from '../../lib/form.ts'
import { positionText } from '../../lib/position.ts'
import { numberText, typedDay, typedNumber, typedPosition } from '../../lib/typed-fields.ts'

const KILO = 1000

/** A typed number, or nothing. */
const optional = (bounds: Parameters<typeof typedNumber>[0]) => {
  const wanted = typedNumber(bounds)
  return z.string().transform((text, context) => {
    if (text.trim() === '') return null
    const read = wanted.safeParse(text)
    if (read.success) return read.data
    context.addIssue({ code: 'custom', message: read.error.issues[0]?.message ?? '' })
    return z.NEVER
  })
}

/** Named as in the contract, so that what the server says finds its field; both coordinates stand in `latitude`. */
export const PointForm = z.object({
  label: OptionalText,
  segment: Segment,
  subscribedVa: optional({ min: 0, max: 40_000, scale: KILO }),
  peakWatts: optional({ min: 0, max: 100_000, scale: KILO }),
  azimuth: optional({ min: 0, max: 360 }),
  tilt: optional({ min: 0, max: 90 }),
  commissionedOn: typedDay,
  pointAddress: Address,
  latitude: typedPosition,
})
type PointValues = z.infer<typeof PointFields>

export const EMPTY_POINT: z.input<typeof PointForm> = {
  label: '',
  segment: usualSegment('consumption'),
  subscribedVa: '',
  peakWatts: '',
  azimuth: '',
  tilt: '',
  commissionedOn: '',
  pointAddress: '',
  latitude: '',
}

const text = (value: number | null, scale = 1) => (value === null ? '' : numberText(value, scale))

export const pointText = (point: Participation['point']): z.input<typeof PointForm> => ({
  label: point.label,
  segment: point.segment,
  subscribedVa: text(point.subscribedVa, KILO),
  peakWatts: text(point.peakWatts, KILO),
  azimuth: text(point.azimuth),
  tilt: text(point.tilt),
  commissionedOn: point.commissionedOn ?? '',
  pointAddress: point.pointAddress,
  latitude: positionText(point),
})

export const pointValues = ({ latitude: position, ...rest }: z.output<typeof PointForm>): PointValues => ({
  ...rest,
  ...position,
})

/** What was left empty is not said: a point that is known keeps it. */
const said = (values: PointValues): Partial<PointValues> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== ''))

const CHOOSE = 'Choisissez une opération.'

export const EntryForm = z.object({
  operationId: z.string().refine((id) => Id.safeParse(id).success, CHOOSE),
  prm: Prm,
  /** A battery is both directions at once. */
  direction: z.enum([...Direction.options, 'battery']),
  point: PointForm,
  startsOn: Day,
  endsOn: typedDay,
  agreementSignedOn: typedDay,
})
export type EntryFormState = ReturnType<typeof useSchemaForm<typeof EntryForm>>

/** Each direction of a battery has the usual segment of its own. */
export function toDraft(participantId: string, { point, direction, ...rest }: z.output<typeof EntryForm>) {
  const { segment, ...values } = said(pointValues(point))
  return direction === 'battery'
    ? ParticipationDraft.parse({ ...rest, direction: 'consumption', storage: true, participantId, point: values })
    : ParticipationDraft.parse({ ...rest, direction, participantId, point: { ...values, segment } })
}

export const SEGMENTS = {
  consumption: ['C5', 'C4', 'C3', 'C2', 'C1'],
  production: ['P4', 'P3', 'P2', 'P1'],
  battery: ['C5'],
} as const
