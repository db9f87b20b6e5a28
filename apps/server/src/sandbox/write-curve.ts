import { addDays, dayStart, offsetAt } from '@voisol/energy/calendar'
import type { Quality } from './world.ts'

const NATURES: Record<Quality, string> = { 1: 'B', 2: 'C', 3: 'E' }
const LENGTHS: Record<number, string> = { 5: 'PT5M', 10: 'PT10M', 15: 'PT15M', 30: 'PT30M', 60: 'PT60M' }
export type Form = 'old' | 'new'
/** A value at the end of its interval; the instant is in epoch minutes. */
export type Value = { end: number; minutes: number; watts: number; quality: Quality }

export const stampOf = (minute: number) =>
  new Date((minute + offsetAt(minute)) * 60_000).toISOString().slice(0, 19).replace('T', ' ')

const tail = (form: Form, end: number, minutes: number, quality: Quality) =>
  form === 'new'
    ? `","d":"${stampOf(end)}","p":"${LENGTHS[minutes]}","n":"${NATURES[quality]}","iv":"0"}`
    : `","date":"${stampOf(end)}","interval_length":"${LENGTHS[minutes]}","measure_type":"${NATURES[quality]}"}`
const HEAD: Record<Form, string> = { new: '{"v":"', old: '{"value":"' }

/** Everything of a value but its watts is the same for all meters that day. */
const MOST_DAYS = 4000
const kept = new Map<string, string[]>()
function tailsOf(form: Form, day: string, step: number, quality: Quality): string[] {
  const key = `${form} ${day} ${step} ${quality}`
  const held = kept.get(key)
  if (held) return held
  const start = dayStart(day)
  const count = (dayStart(addDays(day, 1)) - start) / step
  const tails = Array.from({ length: count }, (_, at) => tail(form, start + (at + 1) * step, step, quality))
  const oldest = kept.size >= MOST_DAYS ? kept.keys().next().value : undefined
  if (oldest !== undefined) kept.delete(oldest)
  kept.set(key, tails)
  return tails
}

/** One day as it is written; a step that is missing is left out. */
export function writeDay(form: Form, day: string, step: number, watts: Int32Array, quality: Quality): string {
  const tails = tailsOf(form, day, step, quality)
  const head = HEAD[form]
  let text = ''
  for (let at = 0; at < watts.length; at++) {
    const value = watts[at] ?? -1
    if (value >= 0) text += `${text === '' ? '' : ','}${head}${value}${tails[at]}`
  }
  return text
}

export const writeValues = (form: Form, values: Value[]): string =>
  values.map(({ end, minutes, watts, quality }) => HEAD[form] + watts + tail(form, end, minutes, quality)).join(',')

export type Asked = { prm: string; from: string; to: string; direction: 'consumption' | 'production' }

/** The answer around the values. */
export function wrapCurve(form: Form, { prm, from, to, direction }: Asked, values: string): string {
  if (form === 'old')
    return `{"meter_reading":{"usage_point_id":"${prm}","start":"${from}","end":"${to}","quality":"BRUT","reading_type":{"measurement_kind":"power","unit":"W","aggregate":"average"},"interval_reading":[${values}]}}`
  const kind = direction === 'consumption' ? 'CONS' : 'PROD'
  return `{"idPrm":"${prm}","etapeMetier":"BRUT","periode":{"dateDebut":"${from}","dateFin":"${to}"},"typeValeur":"QUOTIDIENNE","modeCalcul":"MESURE","grandeur":[{"grandeurMetier":"${kind}","grandeurPhysique":"PA","unite":"W","points":[${values}],"calendrier":[]}],"contexte":[]}`
}

export function writeDaily(
  form: Form,
  { prm, from, to, direction }: Asked,
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
