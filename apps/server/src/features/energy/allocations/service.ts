import { STATUS_LABELS } from '../../../core/labels.ts'
import { frenchDay } from '../../../french.ts'
import { fieldError } from '../../../http/errors.ts'

type Operation = { name: string; status: string; startsOn: string | null; endsOn: string | null }

/** What bills rest on begins when the operation does: a definitive run needs one that is in service over the whole period. */
export function requireService(
  { name, status, startsOn, endsOn }: Operation,
  { from, to }: { from: string; to: string },
) {
  // The last months of an operation are closed after it has ended.
  const served = status === 'active' || (status === 'closed' && startsOn !== null && endsOn !== null)
  if (!served)
    throw fieldError(
      'kind',
      `L’opération «\u00a0${name}\u00a0» n’est pas en service (état\u00a0: ${labelOf(status)})\u00a0: un calcul définitif attend qu’elle soit active. Un calcul provisoire reste possible.`,
    )
  if (startsOn !== null && from < startsOn)
    throw fieldError(
      'from',
      `L’opération «\u00a0${name}\u00a0» est en service depuis le ${frenchDay(startsOn)}\u00a0: un calcul définitif ne commence pas avant.`,
    )
  if (status === 'closed' && endsOn !== null && to > endsOn)
    throw fieldError(
      'to',
      `L’opération «\u00a0${name}\u00a0» a pris fin le ${frenchDay(endsOn)}\u00a0: un calcul définitif ne va pas au-delà.`,
    )
}

const labelOf = (status: string) =>
  (Object.entries(STATUS_LABELS).find(([name]) => name === status)?.[1] ?? status).toLowerCase()
