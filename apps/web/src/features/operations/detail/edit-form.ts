import { type Operation, OperationUpdate, Perimeter, VatMode, Zone } from '@voisol/contract/operations'
import { isDay } from '@voisol/energy/calendar'
import { z } from 'zod'
import { DAY_ERROR } from '../../../lib/day-text.ts'
import { number, parseNumber } from '../../../lib/format.ts'
import { POSITION_ERROR, parsePosition, positionText } from '../../../lib/position.ts'
import { PRICE_ERROR, parsePrice, priceText } from '../../../lib/price.ts'

/** What people type; the names are those of the contract, so that what the server says finds its field. */
const figure = (least: number, most: number, example: string) =>
  z.string().refine((text) => {
    const value = parseNumber(text)
    return text.trim() === '' || (value !== null && value >= least && value <= most)
  }, `Un nombre est attendu, par exemple ${example}.`)

const HOURS = /^([01]?\d|2[0-4])(?:\s*[h:]\s*([0-5]\d)?)?$/i
const minutesOf = (text: string) => {
  const [, hours, minutes] = HOURS.exec(text.trim()) ?? []
  const total = Number(hours) * 60 + Number(minutes ?? 0)
  return hours === undefined || total > 1440 ? null : total
}
const clock = (minutes: number) => `${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, '0')}`

/** « 22h00-6h00, 12h-14h » as pairs of minutes; null where it makes no sense. */
export function parseRanges(text: string): [number, number][] | null {
  const parts = text.split(/[,;]/).filter((part) => part.trim() !== '')
  const ranges = parts.map((part) => part.split(/[-–à]/).map(minutesOf))
  const good = ranges.flatMap(([from, to, ...more]): [number, number][] =>
    typeof from === 'number' && typeof to === 'number' && from !== to && more.length === 0 ? [[from, to]] : [],
  )
  return good.length === parts.length && good.length <= 4 ? good : null
}
export const rangesText = (ranges: [number, number][]) =>
  ranges.map(([from, to]) => `${clock(from)}-${clock(to)}`).join(', ')

const fields = OperationUpdate.shape
const dayOrNothing = z.string().refine((text) => text === '' || isDay(text), DAY_ERROR)

export const OperationForm = z.object({
  name: fields.name,
  accNumber: z.union([z.literal(''), fields.accNumber.unwrap()]),
  description: fields.description,
  startsOn: dayOrNothing,
  endsOn: dayOrNothing,
  pmoName: fields.pmoName,
  pmoSiren: fields.pmoSiren,
  address: fields.address,
  postalCode: fields.postalCode,
  city: fields.city,
  latitude: z.string().refine((text) => text.trim() === '' || parsePosition(text) !== null, POSITION_ERROR),
  perimeter: Perimeter,
  zone: Zone,
  capacityWatts: figure(0, 100_000, '36 ou 99,5'),
  stepMinutes: z.enum(['5', '10', '15', '30', '60']),
  surplusBuyer: fields.surplusBuyer,
  unitPrice: z.string().refine((text) => text.trim() === '' || parsePrice(text) !== null, PRICE_ERROR),
  vatMode: VatMode,
  offPeak: z
    .string()
    .refine((text) => parseRanges(text) !== null, 'Au plus quatre plages, par exemple 22h-6h, 12h-14h.'),
  peak: z.boolean(),
  version: fields.version,
})

export type OperationForm = z.output<typeof OperationForm>
const plain = (value: number) => number(value).replaceAll('\u202f', '')

export const toForm = (operation: Operation): z.input<typeof OperationForm> => ({
  ...operation,
  accNumber: operation.accNumber ?? '',
  startsOn: operation.startsOn ?? '',
  endsOn: operation.endsOn ?? '',
  latitude: positionText(operation),
  capacityWatts: operation.capacityWatts > 0 ? plain(operation.capacityWatts / 1000) : '',
  stepMinutes: `${operation.stepMinutes}`,
  unitPrice: priceText(operation.unitPrice),
  offPeak: rangesText(operation.timeCalendar.offPeak),
  peak: operation.timeCalendar.peak,
})

export function toUpdate({ offPeak, peak, latitude, ...form }: OperationForm): z.input<typeof OperationUpdate> {
  return {
    ...form,
    accNumber: form.accNumber || null,
    startsOn: form.startsOn || null,
    endsOn: form.endsOn || null,
    ...(parsePosition(latitude) ?? { latitude: null, longitude: null }),
    capacityWatts: Math.round((parseNumber(form.capacityWatts) ?? 0) * 1000),
    stepMinutes: STEPS[form.stepMinutes],
    unitPrice: parsePrice(form.unitPrice),
    timeCalendar: { offPeak: parseRanges(offPeak) ?? [], peak },
  }
}

const STEPS = { 5: 5, 10: 10, 15: 15, 30: 30, 60: 60 } as const

/** What somebody else wrote meanwhile, in the words of the form. */
export function changesSince(typed: OperationForm, now: Operation): { path: keyof OperationForm; message: string }[] {
  const current = toForm(now)
  const names = Object.keys(OperationForm.shape) as (keyof OperationForm)[] // keys of a literal
  return names
    .filter((name) => name !== 'version' && typed[name] !== current[name])
    .map((path) => ({ path, message: `Enregistré entre-temps\u00a0: ${shown(current[path])}.` }))
}
const shown = (value: unknown) =>
  value === '' ? 'vide' : typeof value === 'boolean' ? (value ? 'oui' : 'non') : `«\u00a0${String(value)}\u00a0»`
