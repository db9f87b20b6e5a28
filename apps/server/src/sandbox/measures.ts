import { dayStart, listDays } from '@voisol/energy/calendar'
import type { Answer } from './answers.ts'
import { type Asking, checkForm, checkPoint, knownUntil, noData } from './checks.ts'
import type { Moment } from './clock.ts'
import { type Deformed, deform } from './deform.ts'
import type { DayReading, Meter, World } from './world.ts'
import { type Value, wrapCurve, writeDaily, writeDay, writeValues } from './write-curve.ts'

type Day = DayReading & { day: string }

const daysOf = (meter: Meter, asking: Asking, moment: Moment, read: 'read' | 'whole'): Day[] =>
  listDays(asking.from, knownUntil(meter, asking.to, moment)).flatMap((day) => {
    const reading = meter[read](day, moment.ms)
    return reading ? [{ day, ...reading }] : []
  })

const valuesOf = (step: number, days: Day[]): Value[] =>
  days.flatMap(({ day, watts, quality }) => {
    const start = dayStart(day)
    return Array.from(watts, (value, at) => ({ end: start + (at + 1) * step, minutes: step, watts: value, quality }))
  })

/** Load curves and daily energies, in either form. */
export function measure(world: World, asking: Asking, moment: Moment, deformed?: Deformed): Answer {
  checkForm(asking, moment)
  const meter = checkPoint(world, asking, moment)
  const { form, sort } = asking
  if (sort === 'daily') return daily(meter, asking, moment)
  const days = daysOf(meter, asking, moment, 'read').filter(({ watts }) => watts.some((value) => value >= 0))
  if (!days.length) throw noData(form)
  if (!deformed) {
    const text = days.map(({ day, watts, quality }) => writeDay(form, day, meter.step, watts, quality))
    return { status: 200, body: wrapCurve(form, asking, text.join(',')) }
  }
  const values = deform(deformed, valuesOf(meter.step, days)).filter(({ watts }) => watts >= 0)
  if (!values.length) throw noData(form)
  return { status: 200, body: wrapCurve(form, asking, writeValues(form, values)) }
}

function daily(meter: Meter, asking: Asking, moment: Moment): Answer {
  const energies = daysOf(meter, asking, moment, 'whole').map(({ day, watts }) => ({
    day,
    wh: Math.round((watts.reduce((sum, value) => sum + Math.max(0, value), 0) * meter.step) / 60),
  }))
  if (!energies.length) throw noData(asking.form)
  return { status: 200, body: writeDaily(asking.form, asking, energies) }
}
