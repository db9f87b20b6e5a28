import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type BankLine, bank } from '@voisol/contract/bank'
import type { EndpointReply } from '@voisol/contract/endpoint'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { SearchBox } from '../../../components/filter-bar.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatDate, formatMoney } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

type ChooseInvoicesProps = { line: BankLine; onClose: () => void; onDone: (line: BankLine) => void }
type BankCandidate = EndpointReply<typeof bank.candidates>['items'][number]

function RemainingAmount({ line, left }: { line: BankLine; left: number }) {
  const hint =
    left === line.amount ? 'Cochez les factures que ce mouvement paie.' : left === 0 ? 'Tout est affecté.' : ''
  return (
    <p aria-live="polite" className="text-body text-ink-soft">
      {hint || (
        <>
          Il reste <strong className="tabular text-ink">{formatMoney(left)}</strong>&#160;: la somme paie les factures
          les plus anciennes du dernier choisi, puis devient une avance.
        </>
      )}
    </p>
  )
}

function CandidateList({
  items,
  chosen,
  onToggle,
}: {
  items: BankCandidate[]
  chosen: BankCandidate[]
  onToggle: (item: BankCandidate) => void
}) {
  return (
    <ul className="divide-y divide-line rounded-card border border-line">
      {items.map((item) => (
        <li key={item.invoiceId} className="flex items-center justify-between gap-3 px-3 py-1.5">
          <Checkbox
            label={
              <>
                <span className="font-medium">{item.number}</span> {item.buyer}
              </>
            }
            checked={chosen.some(({ invoiceId }) => invoiceId === item.invoiceId)}
            onChange={() => onToggle(item)}
          />
          <span className="tabular text-right text-[0.8125rem] whitespace-nowrap text-ink-soft">
            <strong className="block text-body text-ink">{formatMoney(item.open)}</strong>
            {formatDate(item.dueOn)}
          </span>
        </li>
      ))}
      {!items.length && <li className="px-3 py-6 text-center text-ink-soft">Aucune facture ouverte à ce nom.</li>}
    </ul>
  )
}

/** Looks for the documents a line pays, and splits it over them. */
export default function ChooseInvoicesDialog({ line, onClose, onDone }: ChooseInvoicesProps) {
  const [q, setQ] = useState('')
  const [chosen, setChosen] = useState<BankCandidate[]>([])
  const settle = useAction(bank.settle, [bank.lines, bank.accounts])
  const candidates = useQuery({
    ...query(bank.candidates, { params: { id: line.id }, query: { q } }),
    placeholderData: keepPreviousData,
  })
  const { parts, left } = distributeAmount(line.amount, chosen)
  const toggle = (item: BankCandidate) =>
    setChosen((old) => {
      const without = old.filter(({ invoiceId }) => invoiceId !== item.invoiceId)
      return without.length < old.length ? without : [...old, item]
    })
  const save = () =>
    settle
      .run({ params: { id: line.id }, body: { parts, version: line.version } })
      .then(onDone, (error: unknown) =>
        toast({ title: 'Rien n’est enregistré', description: explainError(error), variant: 'destructive' }),
      )
  return (
    <Dialog
      title={`Affecter ${formatMoney(line.amount)}`}
      description={[formatDate(line.bookedOn), line.party, line.label].filter(Boolean).join(' — ')}
      open
      onOpenChange={onClose}
      actions={
        <Button disabled={!parts.length} loading={settle.isPending} onClick={save}>
          Affecter le mouvement
        </Button>
      }
    >
      <div className="grid gap-3">
        <SearchBox label="Numéro ou nom" value={q} onSearch={setQ} />
        {candidates.error ? (
          <ErrorState error={candidates.error} onRetry={candidates.refetch} />
        ) : candidates.data ? (
          <CandidateList items={candidates.data.items} chosen={chosen} onToggle={toggle} />
        ) : (
          <Skeleton className="h-48 w-full" />
        )}
        <RemainingAmount line={line} left={left} />
      </div>
    </Dialog>
  )
}

/** The line poured over what was chosen, in its order: each gets what it is owed, as long as there is some. */
export function distributeAmount(amount: number, chosen: readonly { invoiceId: string; open: number }[]) {
  let left = amount
  const parts = chosen.map(({ invoiceId, open }) => {
    const part = Math.min(left, open)
    left -= part
    return { invoiceId, amount: part }
  })
  return { parts: parts.filter((part) => part.amount > 0), left }
}
