import { useQuery } from '@tanstack/react-query'
import type { ParticipantDetail } from '@voisol/contract/participants'
import { supplierBills } from '@voisol/contract/supplier-bills'
import { Badge } from '../../../../components/badge.tsx'
import { BILL_VERDICT_LABELS } from '../../../../components/bill-verdicts.ts'
import { Link } from '../../../../components/link.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { formatDate } from '../../../../lib/format.ts'
import { query } from '../../../../lib/queries.ts'
import type { Section } from './drawer-section.tsx'

const getPreviousDay = (day: string) => new Date(Date.parse(`${day}T12:00:00Z`) - 86_400_000)
const MAX_SHOWN_BILLS = 6

/** What suppliers invoiced this participant, and whether the local share was taken off. */
type Props = { participant: ParticipantDetail; parts: { Section: typeof Section } }
export default function ParticipantSupplierBills({ participant, parts }: Props) {
  const { Section: Part } = parts
  const { data } = useQuery(query(supplierBills.list, {}))
  const bills = data?.items.filter((bill) => bill.participant.id === participant.id) ?? []
  if (data && bills.length === 0) return null
  return (
    <Part title="Factures du fournisseur">
      {!data ? (
        <Skeleton className="h-16 w-full" />
      ) : (
        <ul className="divide-y divide-line">
          {bills.slice(0, MAX_SHOWN_BILLS).map((bill) => (
            <li
              key={bill.id}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2 text-body first:pt-0"
            >
              <span>{`${bill.supplier}, du ${formatDate(bill.from)} au ${formatDate(getPreviousDay(bill.to))}`}</span>
              <Badge tone={BILL_VERDICT_LABELS[bill.verdict].tone}>{BILL_VERDICT_LABELS[bill.verdict].label}</Badge>
            </li>
          ))}
          <li className="pt-2 text-body">
            <Link to="/billing?tab=fournisseurs" className="text-link">
              Vérifier une facture ou prendre la lettre
            </Link>
          </li>
        </ul>
      )}
    </Part>
  )
}
