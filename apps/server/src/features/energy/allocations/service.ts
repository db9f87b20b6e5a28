import { OPERATION_STATUS_LABELS } from '../../../core/labels.ts'
import { formatFrenchDay } from '../../../french.ts'
import { fieldError } from '../../../http/errors.ts'

type OperationService = { name: string; status: string; startsOn: string | null; endsOn: string | null }

/** A definitive run, which invoices rely on, requires an operation in service over the whole period. */
export function requireInService(
  { name, status, startsOn, endsOn }: OperationService,
  { from, to }: { from: string; to: string },
) {
  // The last months of an operation are computed after it has ended.
  const isServed = status === 'active' || (status === 'closed' && startsOn !== null && endsOn !== null)
  if (!isServed)
    throw fieldError(
      'kind',
      `L’opération «\u00a0${name}\u00a0» n’est pas en service (état\u00a0: ${formatStatus(status)})\u00a0: un calcul définitif attend qu’elle soit active. Un calcul provisoire reste possible.`,
    )
  if (startsOn !== null && from < startsOn)
    throw fieldError(
      'from',
      `L’opération «\u00a0${name}\u00a0» est en service depuis le ${formatFrenchDay(startsOn)}\u00a0: un calcul définitif ne commence pas avant.`,
    )
  if (status === 'closed' && endsOn !== null && to > endsOn)
    throw fieldError(
      'to',
      `L’opération «\u00a0${name}\u00a0» a pris fin le ${formatFrenchDay(endsOn)}\u00a0: un calcul définitif ne va pas au-delà.`,
    )
}

const formatStatus = (status: string) =>
  (Object.entries(OPERATION_STATUS_LABELS).find(([name]) => name === status)?.[1] ?? status).toLowerCase()
