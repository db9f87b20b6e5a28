import { setTimeout as wait } from 'node:timers/promises'
import {
  createQuotaResponse,
  createThrottledResponse,
  type RefusalStyle,
  SimulatedRefusal,
  type SimulatorResponse,
  toRefusalResponse,
} from './answers.ts'
import { DEFORMATIONS, type Deformation } from './deform.ts'
import { createHostileResponse } from './hostile.ts'
import { ANSWER_ALTERATIONS, alterAnswer } from './plant-answer.ts'
import { MONTH_ALTERATIONS, type MonthAlteration } from './plant-months.ts'
import type { CountedFault } from './schemas.ts'
import { createInvalidCredentialsResponse } from './tokens.ts'

/** No answer, or the end of the connection. */
export type NoAnswer = 'hang' | 'cut'
const SECOND = 1000
const NEXT_ACCESS_S = 30
const DEFAULT_SLOW_SECONDS = 1

const createDeniedRefusal = (voice: RefusalStyle) =>
  voice === 'old'
    ? new SimulatedRefusal(403, 'unauthorized_user', 'user is not authorized to access this resource')
    : new SimulatedRefusal(403, 'SGT403', 'Le client n’est pas autorisé pour le point demandé')
const createNoDataRefusal = (voice: RefusalStyle) =>
  voice === 'old'
    ? new SimulatedRefusal(404, 'no_data_found', 'no measure found for this usage point')
    : new SimulatedRefusal(404, 'SGT404', 'Pas de mesure trouvée pour ce point')
const createTechnicalRefusal = (voice: RefusalStyle) =>
  new SimulatedRefusal(500, voice === 'old' ? 'technical_error' : 'ADAM-DC-0500', 'Technical error. Please try later.')

/** `busy` says when to retry, in seconds or as a date of the simulator's clock. */
const createBusyResponse = (kind: string, seconds: number, now: number): SimulatorResponse => ({
  status: 503,
  body: UNAVAILABLE_PAGE,
  html: true,
  headers: { 'retry-after': kind === 'busy' ? String(seconds) : new Date(now + seconds * SECOND).toUTCString() },
})
const FORBIDDEN_PAGE =
  '<html><head><title>403 Forbidden</title></head><body>Accès refusé par la passerelle</body></html>'
const UNAVAILABLE_PAGE =
  '<html><head><title>503 Service Unavailable</title></head><body><h1>Service Unavailable</h1></body></html>'

/** Computes the answer only when needed. */
export async function applyFault(
  { kind, used, seconds }: CountedFault,
  voice: RefusalStyle,
  now: number,
  answer: (how?: Deformation | MonthAlteration) => Promise<SimulatorResponse>,
): Promise<SimulatorResponse | NoAnswer> {
  const how = [...DEFORMATIONS, ...MONTH_ALTERATIONS].find((one) => one === kind)
  if (how) return answer(how)
  const planted = ANSWER_ALTERATIONS.find((one) => one === kind)
  if (planted) return alterAnswer(planted, await answer())
  const plain: RefusalStyle = voice === 'gateway' ? 'new' : voice
  switch (kind) {
    case 'q3':
    case 'q4':
      return createQuotaResponse(kind === 'q3' ? 'Q3' : 'Q4', now + (kind === 'q3' ? SECOND : 3600 * SECOND))
    case 'throttled':
      return createThrottledResponse(now + (seconds ?? NEXT_ACCESS_S) * SECOND)
    case '401':
    case 'token-expired':
      return createInvalidCredentialsResponse()
    case '403':
      return toRefusalResponse(plain, createDeniedRefusal(plain))
    case '403-html':
      return { status: 403, body: FORBIDDEN_PAGE, html: true }
    case 'busy':
    case 'busy-date':
      return createBusyResponse(kind, seconds ?? NEXT_ACCESS_S, now)
    case 'no-data':
      return toRefusalResponse(plain, createNoDataRefusal(plain))
    case '500':
      return toRefusalResponse(plain, createTechnicalRefusal(plain))
    case '503-html':
      return { status: 503, body: UNAVAILABLE_PAGE, html: true }
    case 'hostile':
      return createHostileResponse(used - 1)
    case 'timeout':
      return 'hang'
    case 'reset':
      return 'cut'
    case 'slow':
      await wait((seconds ?? DEFAULT_SLOW_SECONDS) * SECOND)
      return answer()
    default: {
      const whole = await answer()
      return { ...whole, body: whole.body.slice(0, Math.floor(whole.body.length / 2)) }
    }
  }
}
