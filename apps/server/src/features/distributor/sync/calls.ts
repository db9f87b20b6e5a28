import { EnedisError, faultOf } from '../../../adapters/enedis/faults.ts'
import type { AgreementPoint, Curve, Enedis, Quantity, Trace } from '../../../adapters/enedis/types.ts'
import type { DayRow } from '../../../core/readings.ts'
import { addCalls, connect } from '../enedis/enedis.ts'
import type { Claimed } from './claim.ts'
import { rowsOf } from './curve-days.ts'
import { losesConsent } from './nature.ts'
import { type Access, readAccess } from './services.ts'
import { type Failure, failureOf, PutOff, type Run, report, turn } from './turn.ts'

export type Got =
  | { kind: 'load-curve'; passes: DayRow[][]; readings: number }
  | { kind: 'daily-energy'; days: { day: string; wh: number }[] }
  | { kind: 'agreement-series'; curves: Curve[] }
  | { kind: 'definitive'; quantities: Quantity[] }
  | { kind: 'perimeter'; points: AgreementPoint[]; access: Access[] }
export type Outcome = { window: Claimed; traces: Trace[]; at: Date } & (
  | { got: Got }
  | { failed: Failure }
  /** Not made: to be made from then on. */
  | { untouched: Date }
)

/** Makes one call of a window, within the quotas, and says how it ended. */
export async function callWindow(run: Run, window: Claimed): Promise<Outcome> {
  const traces: Trace[] = []
  const end = { window, traces }
  const lost = window.pointId ? run.blocked.get(window.pointId) : undefined
  if (lost) return { ...end, at: run.clock.now(), failed: { fault: lost, requestId: '' } }
  const wait = await turn(run)
  if (wait) return { ...end, at: run.clock.now(), untouched: wait }
  let turns = 1
  const client = connect(run.deps, run.credential, {
    listen: (trace) => void traces.push(trace),
    timeout: run.timeout,
    now: () => run.clock.now().getTime(),
    turn: async () => {
      const later = await turn(run)
      if (later) throw new PutOff(later)
      turns++
    },
  })
  try {
    const got = await ask(run, client, window)
    await countMore(run, traces, got.kind === 'perimeter' ? turns + got.access.length : turns)
    await report(run, { traces })
    return { ...end, at: run.clock.now(), got }
  } catch (error) {
    await countMore(run, traces, turns)
    if (error instanceof PutOff) return { ...end, at: run.clock.now(), untouched: error.until }
    const failed = referred(failureOf(error), traces)
    if (losesConsent(window, failed.fault) && window.pointId) run.blocked.set(window.pointId, failed.fault)
    await report(run, { failure: failed, traces })
    return { ...end, at: run.clock.now(), failed }
  }
}

/** What we say of an answer bears the reference of the answer. */
const referred = (failed: Failure, traces: Trace[]): Failure => ({
  ...failed,
  requestId: failed.requestId || (traces.at(-1)?.requestId ?? ''),
})

/** What was exchanged beyond the turns that were taken. */
const countMore = ({ deps, credential, clock }: Run, traces: Trace[], turns: number) =>
  addCalls(deps.db, credential, traces.length - turns, clock.now())

/** An agreement has members: where none is told, those that are known stay. */
const nobody = (acc: string) =>
  new EnedisError(
    faultOf('mismatch', 200, `Le périmètre de la convention ${acc} est vide\u00a0: ses points étaient attendus.`),
  )
const roleOf = (direction: string) => (direction === 'production' ? 'prod' : 'cons')

async function ask(run: Run, client: Enedis, window: Claimed): Promise<Got> {
  const { kind, subject: prm, pointId, from, to, acc } = window
  if (kind === 'perimeter') {
    const points = await client.agreement(acc)
    if (!points.length) throw nobody(acc)
    return { kind, points, access: await readAccess(run, client, window) }
  }
  const direction = window.direction || 'consumption'
  if (kind === 'load-curve') {
    const curve = await client.loadCurve({ prm, direction, from, to })
    return { kind, passes: rowsOf(pointId ?? '', curve, window), readings: curve.points.length }
  }
  if (kind === 'daily-energy') {
    return { kind, days: await client.dailyEnergy({ prm, direction, from, to }) }
  }
  if (kind === 'definitive')
    return { kind, quantities: await client.definitiveEnergy({ acc, prm, role: roleOf(direction), from, to }) }
  return { kind, curves: await client.series({ acc, prm, type: 'autocons', from, to }) }
}
