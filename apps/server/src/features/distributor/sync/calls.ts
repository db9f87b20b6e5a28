import { buildDistributorFault, EnedisError } from '../../../adapters/enedis/faults.ts'
import type {
  AgreementPoint,
  EnedisClient,
  EnedisCurve,
  EnedisQuantity,
  ExchangeTrace,
} from '../../../adapters/enedis/types.ts'
import type { PointDayReadings } from '../../../core/readings.ts'
import { connectToEnedis, recordExtraCalls } from '../enedis/enedis.ts'
import type { ClaimedWindow } from './claim.ts'
import { toCurveRows } from './curve-days.ts'
import { isConsentLoss } from './nature.ts'
import { fetchPointAccess, type PointAccess } from './services.ts'
import {
  type CallFailure,
  CallPostponedError,
  reportOutcome,
  type SyncRun,
  toCallFailure,
  waitForSlot,
} from './turn.ts'

export type CallAnswer =
  | { kind: 'load-curve'; passes: PointDayReadings[][]; readings: number }
  | { kind: 'daily-energy'; days: { day: string; wh: number }[] }
  | { kind: 'agreement-series'; curves: EnedisCurve[] }
  | { kind: 'definitive'; quantities: EnedisQuantity[] }
  | { kind: 'perimeter'; points: AgreementPoint[]; access: PointAccess[] }
export type CallOutcome = { window: ClaimedWindow; traces: ExchangeTrace[]; at: Date } & (
  | { got: CallAnswer }
  | { failed: CallFailure }
  /** The call was not made; it can be made from this time on. */
  | { untouched: Date }
)

/** Makes one call within the quotas and returns its outcome. */
export async function callWindow(run: SyncRun, window: ClaimedWindow): Promise<CallOutcome> {
  const traces: ExchangeTrace[] = []
  const end = { window, traces }
  const lost = window.pointId ? run.blocked.get(window.pointId) : undefined
  if (lost) return { ...end, at: run.clock.now(), failed: { fault: lost, requestId: '' } }
  const wait = await waitForSlot(run)
  if (wait) return { ...end, at: run.clock.now(), untouched: wait }
  let slots = 1
  const client = connectToEnedis(run.deps, run.credential, {
    listen: (trace) => void traces.push(trace),
    timeout: run.timeout,
    now: () => run.clock.now().getTime(),
    turn: async () => {
      const later = await waitForSlot(run)
      if (later) throw new CallPostponedError(later)
      slots++
    },
  })
  try {
    const got = await callDistributor(run, client, window)
    await countExtraCalls(run, traces, got.kind === 'perimeter' ? slots + got.access.length : slots)
    await reportOutcome(run, { traces })
    return { ...end, at: run.clock.now(), got }
  } catch (error) {
    await countExtraCalls(run, traces, slots)
    if (error instanceof CallPostponedError) return { ...end, at: run.clock.now(), untouched: error.until }
    const failed = addRequestId(toCallFailure(error), traces)
    if (isConsentLoss(window, failed.fault) && window.pointId) run.blocked.set(window.pointId, failed.fault)
    await reportOutcome(run, { failure: failed, traces })
    return { ...end, at: run.clock.now(), failed }
  }
}

/** Adds the request id of the answer to our own error message. */
const addRequestId = (failed: CallFailure, traces: ExchangeTrace[]): CallFailure => ({
  ...failed,
  requestId: failed.requestId || (traces.at(-1)?.requestId ?? ''),
})

/** Counts the exchanges made beyond the reserved slots. */
const countExtraCalls = ({ deps, credential, clock }: SyncRun, traces: ExchangeTrace[], turns: number) =>
  recordExtraCalls(deps.db, credential, traces.length - turns, clock.now())

/** An agreement always has members: an empty list is an error, and the known members stay. */
const buildEmptyPerimeterError = (acc: string) =>
  new EnedisError(
    buildDistributorFault(
      'mismatch',
      200,
      `Le périmètre de la convention ${acc} est vide\u00a0: ses points étaient attendus.`,
    ),
  )
const toRole = (direction: string) => (direction === 'production' ? 'prod' : 'cons')

async function callDistributor(run: SyncRun, client: EnedisClient, window: ClaimedWindow): Promise<CallAnswer> {
  const { kind, subject: prm, pointId, from, to, acc } = window
  if (kind === 'perimeter') {
    const points = await client.agreement(acc)
    if (!points.length) throw buildEmptyPerimeterError(acc)
    return { kind, points, access: await fetchPointAccess(run, client, window) }
  }
  const direction = window.direction || 'consumption'
  if (kind === 'load-curve') {
    const curve = await client.loadCurve({ prm, direction, from, to })
    return { kind, passes: toCurveRows(pointId ?? '', curve, window), readings: curve.points.length }
  }
  if (kind === 'daily-energy') {
    return { kind, days: await client.dailyEnergy({ prm, direction, from, to }) }
  }
  if (kind === 'definitive')
    return { kind, quantities: await client.definitiveEnergy({ acc, prm, role: toRole(direction), from, to }) }
  return { kind, curves: await client.series({ acc, prm, type: 'autocons', from, to }) }
}
