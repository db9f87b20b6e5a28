import type { EnedisCredential } from '@voisol/contract/enedis'
import { CIRCUITS } from '../../../lib/distributor-labels.ts'
import { dateTime, time } from '../../../lib/format.ts'
import type { Tone } from '../../../ui/badge.tsx'

const DAY_MS = 86_400_000
const moment = (instant: string, now: number) =>
  Date.parse(instant) - now < DAY_MS ? time(instant) : `le ${dateTime(instant)}`

/** Whether calls go out, and if not, until when and why. */
export function circuitState(
  { circuit, pausedUntil }: Pick<EnedisCredential, 'circuit' | 'pausedUntil'>,
  now = Date.now(),
): { label: string; meaning: string; tone: Tone } {
  const paused = pausedUntil !== null && Date.parse(pausedUntil) > now ? pausedUntil : null
  if (circuit === 'closed' && paused)
    return {
      label: 'En pause',
      tone: 'warning',
      meaning: `Le distributeur a demandé d’attendre\u00a0: les appels reprennent à ${moment(paused, now)}.`,
    }
  const { label, tone, meaning } = CIRCUITS[circuit]
  if (circuit === 'open' && paused)
    return { label, tone, meaning: `Trop d’échecs de suite\u00a0: un appel d’essai part à ${moment(paused, now)}.` }
  return { label, tone, meaning }
}

/** Who calls in the name of what. */
export const scopeOf = ({ operationId, operationName }: Pick<EnedisCredential, 'operationId' | 'operationName'>) =>
  operationId === null ? 'Toute l’entreprise' : operationName
