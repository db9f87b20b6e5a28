import { type SupplierBill, supplierBills } from '@voisol/contract/supplier-bills'
import { useState } from 'react'
import { download } from '../../lib/call.ts'
import { explainError } from '../../lib/explain.ts'
import { formatDate } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { BILL_VERDICT_LABELS } from './words.ts'

const getPreviousDay = (day: string) => new Date(Date.parse(`${day}T12:00:00Z`) - 86_400_000)

function LetterButton({ bill }: { bill: SupplierBill }) {
  const [busy, setBusy] = useState(false)
  const downloadLetter = () => {
    setBusy(true)
    download(supplierBills.letter, { params: { id: bill.id } })
      .catch((error: unknown) =>
        toast({ title: 'Téléchargement impossible', description: explainError(error), variant: 'destructive' }),
      )
      .finally(() => setBusy(false))
  }
  return (
    <Button variant="secondary" size="small" loading={busy} onClick={downloadLetter}>
      Lettre au fournisseur
    </Button>
  )
}

const CheckedBill = ({ bill }: { bill: SupplierBill }) => (
  <li className="grid gap-2 py-4 text-body">
    <div className="flex flex-wrap items-center justify-between gap-2">
      <p className="min-w-0 font-medium">
        {bill.supplier}, du {formatDate(bill.from)} au {formatDate(getPreviousDay(bill.to))}
      </p>
      <Badge tone={BILL_VERDICT_LABELS[bill.verdict].tone}>{BILL_VERDICT_LABELS[bill.verdict].label}</Badge>
    </div>
    <p className="text-[0.8125rem] text-ink-soft">
      {bill.participant.name}, PRM <span className="tabular">{bill.point.prm}</span>
      {bill.number && `, facture ${bill.number}`}. Vérifiée le {formatDate(bill.at)}.
    </p>
    {bill.sentences.map((sentence) => (
      <p key={sentence}>{sentence}</p>
    ))}
    {(bill.verdict === 'short' || bill.verdict === 'over') && (
      <div>
        <LetterButton bill={bill} />
      </div>
    )}
  </li>
)

export const CheckedBills = ({ bills }: { bills: SupplierBill[] }) => (
  <ul className="divide-y divide-line">
    {bills.map((bill) => (
      <CheckedBill key={bill.id} bill={bill} />
    ))}
  </ul>
)
