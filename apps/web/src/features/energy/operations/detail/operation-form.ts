import { type Operation, OperationUpdate, Perimeter, VatMode, Zone } from '@voisol/contract/operations'
import { isDay } from '@voisol/energy/calendar'
import { z } from 'zod'
import { DAY_ERROR } from '../../../../lib/day-input.ts'
import { formatPosition, POSITION_ERROR, parsePosition } from '../../../../lib/field-schemas.ts'
import { formatNumber, parseNumber } from '../../../../lib/format.ts'
import { formatPriceInput, PRICE_ERROR, parsePrice } from '../../../../lib/price.ts'

/** What people type; the names are those of the contract, so that what the server says finds its field. */
const numberField = (min: number, max: number, example: string) =>
  z.string().refine((text) => {
    const value = parseNumber(text)
    return text.trim() === '' || (value !== null && value >= min && value <= max)
  }, `Un nombre est attendu, par exemple ${example}.`)

const HOUR_PATTERN = /^([01]?\d|2[0-4])(?:\s*[h:]\s*([0-5]\d)?)?$/i
const parseMinutes = (text: string) => {
  const [, hours, minutes] = HOUR_PATTERN.exec(text.trim()) ?? []
  const total = Number(hours) * 60 + Number(minutes ?? 0)
  return hours === undefined || total > 1440 ? null : total
}
const formatClock = (minutes: number) => `${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, '0')}`

/** « 22h00-6h00, 12h-14h » as pairs of minutes; null where it makes no sense. */
export function parseTimeRanges(text: string): [number, number][] | null {
  const parts = text.split(/[,;]/).filter((part) => part.trim() !== '')
  const ranges = parts.map((part) => part.split(/[-–à]/).map(parseMinutes))
  const validRanges = ranges.flatMap(([from, to, ...more]): [number, number][] =>
    typeof from === 'number' && typeof to === 'number' && from !== to && more.length === 0 ? [[from, to]] : [],
  )
  return validRanges.length === parts.length && validRanges.length <= 4 ? validRanges : null
}
export const formatTimeRanges = (ranges: [number, number][]) =>
  ranges.map(([from, to]) => `${formatClock(from)}-${formatClock(to)}`).join(', ')

const updateFields = OperationUpdate.shape
const optionalDay = z.string().refine((text) => text === '' || isDay(text), DAY_ERROR)

export const OperationForm = z.object({
  name: updateFields.name,
  accNumber: z.union([z.literal(''), updateFields.accNumber.unwrap()]),
  description: updateFields.description,
  startsOn: optionalDay,
  endsOn: optionalDay,
  pmoName: updateFields.pmoName,
  pmoSiren: updateFields.pmoSiren,
  address: updateFields.address,
  postalCode: updateFields.postalCode,
  city: updateFields.city,
  latitude: z.string().refine((text) => text.trim() === '' || parsePosition(text) !== null, POSITION_ERROR),
  perimeter: Perimeter,
  zone: Zone,
  capacityWatts: numberField(0, 100_000, '36 ou 99,5'),
  stepMinutes: z.enum(['5', '10', '15', '30', '60']),
  surplusBuyer: updateFields.surplusBuyer,
  unitPrice: z.string().refine((text) => text.trim() === '' || parsePrice(text) !== null, PRICE_ERROR),
  vatMode: VatMode,
  offPeak: z
    .string()
    .refine((text) => parseTimeRanges(text) !== null, 'Au plus quatre plages, par exemple 22h-6h, 12h-14h.'),
  peak: z.boolean(),
  version: updateFields.version,
})

export type OperationForm = z.output<typeof OperationForm>
const formatPlainNumber = (value: number) => formatNumber(value).replaceAll('\u202f', '')

export const toOperationForm = (operation: Operation): z.input<typeof OperationForm> => ({
  ...operation,
  accNumber: operation.accNumber ?? '',
  startsOn: operation.startsOn ?? '',
  endsOn: operation.endsOn ?? '',
  latitude: formatPosition(operation),
  capacityWatts: operation.capacityWatts > 0 ? formatPlainNumber(operation.capacityWatts / 1000) : '',
  stepMinutes: `${operation.stepMinutes}`,
  unitPrice: formatPriceInput(operation.unitPrice),
  offPeak: formatTimeRanges(operation.timeCalendar.offPeak),
  peak: operation.timeCalendar.peak,
})

export function toOperationUpdate({
  offPeak,
  peak,
  latitude,
  ...form
}: OperationForm): z.input<typeof OperationUpdate> {
  return {
    ...form,
    accNumber: form.accNumber || null,
    startsOn: form.startsOn || null,
    endsOn: form.endsOn || null,
    ...(parsePosition(latitude) ?? { latitude: null, longitude: null }),
    capacityWatts: Math.round((parseNumber(form.capacityWatts) ?? 0) * 1000),
    stepMinutes: STEP_MINUTES[form.stepMinutes],
    unitPrice: parsePrice(form.unitPrice),
    timeCalendar: { offPeak: parseTimeRanges(offPeak) ?? [], peak },
  }
}

const STEP_MINUTES = { 5: 5, 10: 10, 15: 15, 30: 30, 60: 60 } as const

/** What somebody else wrote meanwhile, in the words of the form. */
export function findConflictingChanges(
  typed: OperationForm,
  now: Operation,
): { path: keyof OperationForm; message: string }[] {
  const current = toOperationForm(now)
  const names = Object.keys(OperationForm.shape) as (keyof OperationForm)[] // keys of a literal
  return names
    .filter((name) => name !== 'version' && typed[name] !== current[name])
    .map((path) => ({ path, message: `Enregistré entre-temps\u00a0: ${quoteValue(current[path])}.` }))
}
const quoteValue = (value: unknown) =>
  value === '' ? 'vide' : typeof value === 'boolean' ? (value ? 'oui' : 'non') : `«\u00a0${String(value)}\u00a0»`
