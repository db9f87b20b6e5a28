import { type SupplierBill, supplierBills } from '@voisol/contract/supplier-bills'
import { useState } from 'react'
import { download } from '../../lib/call.ts'
import { explain } from '../../lib/explain.ts'
import { date } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { VERDICTS } from './words.ts'

const dayBefore = (day: string) => new Date(Date.parse(`${day}T12:00:00Z`) - 86_400_000)

function LetterButton({ bill }: { bill: SupplierBill }) {
  const [busy, setBusy] = useState(false)
  const take = () => {
    setBusy(true)
    download(supplierBills.letter, { params: { id: bill.id } })
      .catch((error: unknown) =>
        toast({ title: 'Téléchargement impossible', description: explain(error), variant: 'destructive' }),
      )
      .finally(() => setBusy(false))
  }
  return (
    <Button variant="secondary" size="small" loading={busy} onClick={take}>
      Lettre au fournisseur
    </Button>
  )
}

const Checked = ({ bill }: { bill: SupplierBill }) => (
  <li className="grid gap-2 py-4 text-body">
    <div className="flex flex-wrap items-center justify-between gap-2">
      <p className="min-w-0 font-medium">
        {bill.supplier}, du {date(bill.from)} au {date(dayBefore(bill.to))}
      </p>
      <Badge tone={VERDICTS[bill.verdict].tone}>{VERDICTS[bill.verdict].label}</Badge>
    </div>
    <p className="text-[0.8125rem] text-ink-soft">
      {bill.participant.name}, PRM <span className="tabular">{bill.point.prm}</span>
      {bill.number && `, facture ${bill.number}`}. Vérifiée le {date(bill.at)}.
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

export const History = ({ bills }: { bills: SupplierBill[] }) => (
  <ul className="divide-y divide-line">
    {bills.map((bill) => (
      <Checked key={bill.id} bill={bill} />
    ))}
  </ul>
)
