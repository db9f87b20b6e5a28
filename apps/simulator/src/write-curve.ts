import { addDays, dayStart, offsetAt } from '@voisol/energy/calendar'
import type { SimulatedQuality } from './meter-registry.ts'

const NATURE_CODES: Record<SimulatedQuality, string> = { 1: 'B', 2: 'C', 3: 'E' }
const STEP_CODES: Record<number, string> = { 5: 'PT5M', 10: 'PT10M', 15: 'PT15M', 30: 'PT30M', 60: 'PT60M' }
export type ResponseForm = 'old' | 'new'
/** A value with the end of its interval, in epoch minutes. */
export type CurveValue = { end: number; minutes: number; watts: number; quality: SimulatedQuality }

const formatCurveStamp = (minute: number) =>
  new Date((minute + offsetAt(minute)) * 60_000).toISOString().slice(0, 19).replace('T', ' ')

const formatTail = (form: ResponseForm, end: number, minutes: number, quality: SimulatedQuality) =>
  form === 'new'
    ? `","d":"${formatCurveStamp(end)}","p":"${STEP_CODES[minutes]}","n":"${NATURE_CODES[quality]}","iv":"0"}`
    : `","date":"${formatCurveStamp(end)}","interval_length":"${STEP_CODES[minutes]}","measure_type":"${NATURE_CODES[quality]}"}`
const HEAD: Record<ResponseForm, string> = { new: '{"v":"', old: '{"value":"' }

/** Everything but the watts is the same for all meters of a day. */
const MAX_CACHED_DAYS = 4000
const cachedTails = new Map<string, string[]>()
function getTails(form: ResponseForm, day: string, step: number, quality: SimulatedQuality): string[] {
  const key = `${form} ${day} ${step} ${quality}`
  const held = cachedTails.get(key)
  if (held) return held
  const start = dayStart(day)
  const count = (dayStart(addDays(day, 1)) - start) / step
  const tails = Array.from({ length: count }, (_, at) => formatTail(form, start + (at + 1) * step, step, quality))
  const oldest = cachedTails.size >= MAX_CACHED_DAYS ? cachedTails.keys().next().value : undefined
  if (oldest !== undefined) cachedTails.delete(oldest)
  cachedTails.set(key, tails)
  return tails
}

/** The text of one day; a missing step is left out. */
export function writeDay(
  form: ResponseForm,
  day: string,
  step: number,
  watts: Int32Array,
  quality: SimulatedQuality,
): string {
  const tails = getTails(form, day, step, quality)
  const head = HEAD[form]
  let text = ''
  for (let at = 0; at < watts.length; at++) {
    const value = watts[at] ?? -1
    if (value >= 0) text += `${text === '' ? '' : ','}${head}${value}${tails[at]}`
  }
  return text
}

export const writeValues = (form: ResponseForm, values: CurveValue[]): string =>
  values
    .map(({ end, minutes, watts, quality }) => HEAD[form] + watts + formatTail(form, end, minutes, quality))
    .join(',')

type CurveAnswerPeriod = { prm: string; from: string; to: string; direction: 'consumption' | 'production' }

/** The envelope around the values. */
export function wrapCurve(form: ResponseForm, { prm, from, to, direction }: CurveAnswerPeriod, values: string): string {
  if (form === 'old')
    return `{"meter_reading":{"usage_point_id":"${prm}","start":"${from}","end":"${to}","quality":"BRUT","reading_type":{"measurement_kind":"power","unit":"W","aggregate":"average"},"interval_reading":[${values}]}}`
  const kind = direction === 'consumption' ? 'CONS' : 'PROD'
  return `{"idPrm":"${prm}","etapeMetier":"BRUT","periode":{"dateDebut":"${from}","dateFin":"${to}"},"typeValeur":"QUOTIDIENNE","modeCalcul":"MESURE","grandeur":[{"grandeurMetier":"${kind}","grandeurPhysique":"PA","unite":"W","points":[${values}],"calendrier":[]}],"contexte":[]}`
}

export function writeDaily(
  form: ResponseForm,
  { prm, from, to, direction }: CurveAnswerPeriod,
  days: { day: string; wh: number }[],
): string {
  if (form === 'old')
    return JSON.stringify({
      meter_reading: {
        usage_point_id: prm,
        start: from,
        end: to,
        quality: 'BRUT',
        reading_type: { unit: 'Wh', measurement_kind: 'energy', aggregate: 'sum', measuring_period: 'P1D' },
        interval_reading: days.map(({ day, wh }) => ({ value: String(wh), date: day })),
      },
    })
  return JSON.stringify({
    idPrm: prm,
    etapeMetier: 'BRUT',
    periode: { dateDebut: from, dateFin: to },
    typeValeur: 'QUOTIDIENNE',
    modeCalcul: 'MESURE',
    pas: 'P1D',
    grandeur: [
      {
        grandeurMetier: direction === 'consumption' ? 'CONS' : 'PROD',
        grandeurPhysique: 'EA',
        unite: 'Wh',
        calendrier: [],
        points: days.map(({ day, wh }) => ({ v: String(wh), d: day, iv: '0' })),
      },
    ],
    contexte: [],
  })
}
