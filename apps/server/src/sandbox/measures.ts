import { dayStart, listDays } from '@voisol/energy/calendar'
import type { SimulatorResponse } from './answers.ts'
import {
  createNoDataRefusal,
  getKnownUntil,
  type MeasureRequest,
  requireReadableMeter,
  requireValidRequest,
} from './checks.ts'
import type { SimulatorMoment } from './clock.ts'
import { type Deformation, deformValues } from './deform.ts'
import type { MeterRegistry, SimulatedDayReading, SimulatedMeter } from './world.ts'
import { type CurveValue, wrapCurve, writeDaily, writeDay, writeValues } from './write-curve.ts'

type Day = SimulatedDayReading & { day: string }

const listReadDays = (
  meter: SimulatedMeter,
  asking: MeasureRequest,
  moment: SimulatorMoment,
  read: 'read' | 'whole',
): Day[] =>
  listDays(asking.from, getKnownUntil(meter, asking.to, moment)).flatMap((day) => {
    const reading = meter[read](day, moment.ms)
    return reading ? [{ day, ...reading }] : []
  })

const toCurveValues = (step: number, days: Day[]): CurveValue[] =>
  days.flatMap(({ day, watts, quality }) => {
    const start = dayStart(day)
    return Array.from(watts, (value, at) => ({ end: start + (at + 1) * step, minutes: step, watts: value, quality }))
  })

/** Load curves and daily energies, in both formats. */
export function answerMeasure(
  world: MeterRegistry,
  asking: MeasureRequest,
  moment: SimulatorMoment,
  deformed?: Deformation,
): SimulatorResponse {
  requireValidRequest(asking, moment)
  const meter = requireReadableMeter(world, asking, moment)
  const { form, sort } = asking
  if (sort === 'daily') return answerDailyEnergy(meter, asking, moment)
  const days = listReadDays(meter, asking, moment, 'read').filter(({ watts }) => watts.some((value) => value >= 0))
  if (!days.length) throw createNoDataRefusal(form)
  if (!deformed) {
    const text = days.map(({ day, watts, quality }) => writeDay(form, day, meter.step, watts, quality))
    return { status: 200, body: wrapCurve(form, asking, text.join(',')) }
  }
  const values = deformValues(deformed, toCurveValues(meter.step, days)).filter(({ watts }) => watts >= 0)
  if (!values.length) throw createNoDataRefusal(form)
  return { status: 200, body: wrapCurve(form, asking, writeValues(form, values)) }
}

function answerDailyEnergy(meter: SimulatedMeter, asking: MeasureRequest, moment: SimulatorMoment): SimulatorResponse {
  const energies = listReadDays(meter, asking, moment, 'whole').map(({ day, watts }) => ({
    day,
    wh: Math.round((watts.reduce((sum, value) => sum + Math.max(0, value), 0) * meter.step) / 60),
  }))
  if (!energies.length) throw createNoDataRefusal(asking.form)
  return { status: 200, body: writeDaily(asking.form, asking, energies) }
}
