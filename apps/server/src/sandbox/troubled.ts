import { setTimeout as wait } from 'node:timers/promises'
import { type Answer, quotaReached, Refusal, refuse, throttled, type Voice } from './answers.ts'
import { DEFORMED, type Deformed } from './deform.ts'
import { hostileAnswer } from './hostile.ts'
import { ANSWER_PLANTS, plantAnswer } from './plant-answer.ts'
import { MONTH_PLANTS, type MonthPlant } from './plant-months.ts'
import type { Counted } from './schemas.ts'
import { invalidCredentials } from './tokens.ts'

/** No answer, or the end of the connection. */
export type Silence = 'hang' | 'cut'
const SECOND = 1000
const NEXT_ACCESS_S = 30
const SLOW_S = 1

const denied = (voice: Voice) =>
  voice === 'old'
    ? new Refusal(403, 'unauthorized_user', 'user is not authorized to access this resource')
    : new Refusal(403, 'SGT403', 'Le client n’est pas autorisé pour le point demandé')
const nothing = (voice: Voice) =>
  voice === 'old'
    ? new Refusal(404, 'no_data_found', 'no measure found for this usage point')
    : new Refusal(404, 'SGT404', 'Pas de mesure trouvée pour ce point')
const broken = (voice: Voice) =>
  new Refusal(500, voice === 'old' ? 'technical_error' : 'ADAM-DC-0500', 'Technical error. Please try later.')

/** `busy` says when to come back, in seconds or as a date of the sandbox's clock. */
const later = (kind: string, seconds: number, now: number): Answer => ({
  status: 503,
  body: HTML,
  html: true,
  headers: { 'retry-after': kind === 'busy' ? String(seconds) : new Date(now + seconds * SECOND).toUTCString() },
})
const PAGE = '<html><head><title>403 Forbidden</title></head><body>Accès refusé par la passerelle</body></html>'
const HTML = '<html><head><title>503 Service Unavailable</title></head><body><h1>Service Unavailable</h1></body></html>'

/** Is given the answer only where it needs it. */
export async function trouble(
  { kind, used, seconds }: Counted,
  voice: Voice,
  now: number,
  answer: (how?: Deformed | MonthPlant) => Promise<Answer>,
): Promise<Answer | Silence> {
  const how = [...DEFORMED, ...MONTH_PLANTS].find((one) => one === kind)
  if (how) return answer(how)
  const planted = ANSWER_PLANTS.find((one) => one === kind)
  if (planted) return plantAnswer(planted, await answer())
  const plain: Voice = voice === 'gateway' ? 'new' : voice
  switch (kind) {
    case 'q3':
    case 'q4':
      return quotaReached(kind === 'q3' ? 'Q3' : 'Q4', now + (kind === 'q3' ? SECOND : 3600 * SECOND))
    case 'throttled':
      return throttled(now + (seconds ?? NEXT_ACCESS_S) * SECOND)
    case '401':
    case 'token-expired':
      return invalidCredentials()
    case '403':
      return refuse(plain, denied(plain))
    case '403-html':
      return { status: 403, body: PAGE, html: true }
    case 'busy':
    case 'busy-date':
      return later(kind, seconds ?? NEXT_ACCESS_S, now)
    case 'no-data':
      return refuse(plain, nothing(plain))
    case '500':
      return refuse(plain, broken(plain))
    case '503-html':
      return { status: 503, body: HTML, html: true }
    case 'hostile':
      return hostileAnswer(used - 1)
    case 'timeout':
      return 'hang'
    case 'reset':
      return 'cut'
    case 'slow':
      await wait((seconds ?? SLOW_S) * SECOND)
      return answer()
    default: {
      const whole = await answer()
      return { ...whole, body: whole.body.slice(0, Math.floor(whole.body.length / 2)) }
    }
  }
}
