import type { EnedisCredential } from '@voisol/contract/enedis'
import type { Tone } from '../../../../components/badge.tsx'
import { CIRCUIT_LABELS } from '../../../../lib/distributor-labels.ts'
import { formatDateTime, formatTime } from '../../../../lib/format.ts'

const DAY_MS = 86_400_000
const formatMoment = (instant: string, now: number) =>
  Date.parse(instant) - now < DAY_MS ? formatTime(instant) : `le ${formatDateTime(instant)}`

type CircuitFields = Pick<EnedisCredential, 'circuit' | 'pausedUntil' | 'pauseCause'>

/** Whether calls go out, and if not, until when and why. */
export function describeCircuit(
  { circuit, pausedUntil, pauseCause }: CircuitFields,
  now = Date.now(),
): { label: string; meaning: string; tone: Tone } {
  const paused = pausedUntil !== null && Date.parse(pausedUntil) > now ? pausedUntil : null
  if (paused && pauseCause === 'told')
    return {
      label: 'En pause',
      tone: 'warning',
      meaning: `Le distributeur a demandé d’attendre\u00a0: ${circuit === 'closed' ? 'les appels reprennent' : 'un appel d’essai part'} à ${formatMoment(paused, now)}. Une pause dure un jour au plus.`,
    }
  const { label, tone, meaning } = CIRCUIT_LABELS[circuit]
  if (circuit === 'open' && paused && pauseCause === 'refusals')
    return {
      label,
      tone,
      meaning: `Le distributeur refuse beaucoup de points à la fois\u00a0: aucun n’est arrêté, un appel d’essai part à ${formatMoment(paused, now)}.`,
    }
  if (circuit === 'open' && paused)
    return {
      label,
      tone,
      meaning: `Trop d’échecs de suite\u00a0: un appel d’essai part à ${formatMoment(paused, now)}.`,
    }
  return { label, tone, meaning }
}

/** Who calls in the name of what. */
export const getScopeLabel = ({
  operationId,
  operationName,
}: Pick<EnedisCredential, 'operationId' | 'operationName'>) =>
  operationId === null ? 'Toute l’entreprise' : operationName

type TestFields = Pick<EnedisCredential, 'testOk' | 'pausedUntil'>
/** A pause of a few seconds is the pace of the calls, not a suspension. */
const MIN_SUSPENSION_MS = 5000
const isSuspended = ({ pausedUntil }: TestFields, now: number) =>
  pausedUntil !== null && Date.parse(pausedUntil) - now > MIN_SUSPENSION_MS
export const isConnectionWorking = (tested: TestFields, now = Date.now()) => tested.testOk && !isSuspended(tested, now)

/** What came of a test; while calls are suspended it neither works nor fails. */
export const getTestTitle = (tested: TestFields, now = Date.now()) =>
  isSuspended(tested, now)
    ? 'Les appels sont suspendus'
    : tested.testOk
      ? 'La connexion fonctionne'
      : 'La connexion échoue'
