import { dayStart, isDay, localTime, offsetAt } from '../calendar/calendar.ts'
import { computeExactQuotient } from '../kernel/division.ts'
import { formatShare, WHOLE_SHARE } from '../keys/keys.ts'
import { MISSING, type Step } from '../series/series.ts'

/** Whether the time of a row is the start or the end of its step. */
type StampPosition = 'start' | 'end'
type CoefficientFile = { startsAt: number; step: Step; prms: string[]; coefficients: Int32Array[] }

const MAX_DECIMALS = 4
const pad = (value: number) => String(value).padStart(2, '0')

/** Local time with its offset, so that the hour that occurs twice stays two hours. */
export function formatStamp(minute: number): string {
  const { day, minuteOfDay } = localTime(minute)
  return `${day}T${pad(Math.floor(minuteOfDay / 60))}:${pad(minuteOfDay % 60)}:00+${pad(offsetAt(minute) / 60)}:00`
}

/** Millionths of the production that each consumer got, floored to `decimals` of a percent so that no sum exceeds 100 %. */
export function computeCoefficients(produced: Int32Array, allocated: Int32Array[], decimals = 1): Int32Array[] {
  const grain = 10 ** (MAX_DECIMALS - requireDecimals(decimals))
  return allocated.map((own) =>
    own.map((part, at) => {
      const whole = produced[at] ?? MISSING
      if (part < 0 || whole < 0) return MISSING
      return whole === 0 ? 0 : Math.floor(computeExactQuotient(part, WHOLE_SHARE, whole) / grain) * grain
    }),
  )
}

function requireDecimals(decimals: number): number {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > MAX_DECIMALS)
    throw new RangeError(`between 0 and ${MAX_DECIMALS} decimals, not ${decimals}`)
  return decimals
}

function formatShareCell(share: number, decimals: number): string {
  if (share < 0) return ''
  const floored = Math.floor(share / 10 ** (MAX_DECIMALS - decimals))
  const text = String(floored).padStart(decimals + 1, '0')
  return decimals === 0 ? text : `${text.slice(0, -decimals)},${text.slice(-decimals)}`
}

/** The file of the distributor for one producer: a line per step, a percentage per consumer. */
export function formatCoefficientFile(
  file: CoefficientFile,
  { decimals = 1, stamp = 'start' as StampPosition } = {},
): string {
  const { startsAt, step, prms, coefficients } = file
  const places = requireDecimals(decimals)
  const steps = coefficients[0]?.length ?? 0
  const lines = [`Horodate;${prms.join(';')}`]
  for (let at = 0; at < steps; at++) {
    const cells = coefficients.map((own) => formatShareCell(own[at] ?? MISSING, places))
    lines.push(`${formatStamp(startsAt + (stamp === 'end' ? at + 1 : at) * step)};${cells.join(';')}`)
  }
  return `${lines.join('\r\n')}\r\n`
}

export type LineProblem = { line: number; message: string }
type ParsedCoefficientFile = {
  prms: string[]
  coefficients: Record<string, Int32Array>
  problems: LineProblem[]
}
type ExpectedSteps = { startsAt: number; step: Step; steps: number; stamp?: StampPosition }

/** Reads a file back; a step without a line stays MISSING. With any problem, none of it may be used. */
export function parseCoefficientFile(text: string, expected: ExpectedSteps): ParsedCoefficientFile {
  const [head = '', ...rows] = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const [first, ...prms] = head.split(';').map((cell) => cell.trim())
  const problems = findHeaderProblems(first, prms)
  const curves = prms.map(() => new Int32Array(expected.steps).fill(MISSING))
  if (problems.length === 0) {
    const seen = new Uint8Array(expected.steps)
    for (const [index, row] of rows.entries()) {
      if (row.trim() === '') continue
      const message = parseRow(row, expected, curves, seen)
      if (message) problems.push({ line: index + 2, message })
    }
  }
  return {
    prms,
    coefficients: Object.fromEntries(prms.map((prm, i) => [prm, curves[i] ?? new Int32Array()])),
    problems,
  }
}

function findHeaderProblems(first: string | undefined, prms: string[]): LineProblem[] {
  const bad = prms.find((prm) => !/^\d{14}$/.test(prm))
  const seen = new Set<string>()
  const twice = prms.find((prm) => seen.size === seen.add(prm).size)
  if (first?.toLowerCase() !== 'horodate')
    return [{ line: 1, message: 'La première colonne doit s’appeler «\u00A0Horodate\u00A0».' }]
  if (prms.length === 0) return [{ line: 1, message: 'Aucun consommateur n’est nommé dans l’en-tête.' }]
  if (bad !== undefined)
    return [{ line: 1, message: `«\u00A0${bad}\u00A0» n’est pas un PRM\u00A0: 14 chiffres sont attendus.` }]
  return twice === undefined ? [] : [{ line: 1, message: `Le PRM ${twice} figure deux fois.` }]
}

function parseRow(row: string, expected: ExpectedSteps, curves: Int32Array[], seen: Uint8Array): string | undefined {
  const { startsAt, step, steps, stamp = 'start' } = expected
  const [time = '', ...cells] = row.split(';').map((one) => one.trim())
  if (cells.length !== curves.length) return `${curves.length} coefficients sont attendus, ${cells.length} lus.`
  const candidates = parseInstants(time)
  if (candidates.length === 0) return `«\u00A0${time}\u00A0» n’est pas une date et une heure.`
  const places = candidates.map((minute) => (minute - startsAt) / step - (stamp === 'end' ? 1 : 0))
  const inside = places.filter((at) => Number.isInteger(at) && at >= 0 && at < steps)
  if (inside.length === 0) return `${time} n’est pas un pas de la période.`
  // Without an offset, the hour that occurs twice is read in the order of its lines.
  const at = inside.find((place) => seen[place] === 0)
  if (at === undefined) return `${time} figure déjà plus haut.`
  seen[at] = 1
  const shares = cells.map(parseShare)
  const bad = shares.indexOf(undefined)
  if (bad >= 0) return `«\u00A0${cells[bad]}\u00A0» n’est pas un pourcentage entre 0 et 100.`
  const sum = shares.reduce<number>((total, share) => total + Math.max(0, share ?? 0), 0)
  if (sum > WHOLE_SHARE)
    return `La somme des coefficients est de ${formatShare(sum)}, au-delà de ${formatShare(WHOLE_SHARE)}.`
  for (const [i, share] of shares.entries()) {
    const curve = curves[i]
    if (curve) curve[at] = share ?? MISSING
  }
}

/** Millionths of a percentage such as 12,5; MISSING when empty, undefined when it is not a percentage. */
function parseShare(text: string): number | undefined {
  if (text === '') return MISSING
  const parts = /^(\d{1,3})(?:[,.](\d+))?\s*%?$/.exec(text)
  if (!parts) return undefined
  const decimals = (parts[2] ?? '').padEnd(MAX_DECIMALS, '0').slice(0, MAX_DECIMALS)
  const share = Number(parts[1]) * 10 ** MAX_DECIMALS + Number(decimals)
  return share <= WHOLE_SHARE ? share : undefined
}

const TIME = /^(?:(\d{4})-(\d\d)-(\d\d)|(\d\d)\/(\d\d)\/(\d{4}))[T ](\d\d):(\d\d)(?::00)?(Z|[+-]\d\d:?\d\d)?$/

/** The instants a local time may mean: one, two in the hour that occurs twice, none when it does not exist. */
function parseInstants(text: string): number[] {
  const parts = TIME.exec(text)
  if (!parts) return []
  const day = parts[1] ? `${parts[1]}-${parts[2]}-${parts[3]}` : `${parts[6]}-${parts[5]}-${parts[4]}`
  const [hour, minute, zone] = [Number(parts[7]), Number(parts[8]), parts[9]]
  if (!isDay(day) || hour > 23 || minute > 59) return []
  const minuteOfDay = hour * 60 + minute
  const start = dayStart(day)
  const utc = start + offsetAt(start) + minuteOfDay
  if (zone) return [utc - parseOffset(zone)]
  return [utc - 120, utc - 60].filter((one) => {
    const local = localTime(one)
    return local.day === day && local.minuteOfDay === minuteOfDay
  })
}

function parseOffset(zone: string): number {
  if (zone === 'Z') return 0
  const sign = zone.startsWith('-') ? -1 : 1
  return sign * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2)))
}
